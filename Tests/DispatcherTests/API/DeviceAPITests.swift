import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeviceAPITests {
        private func register(_ api: APIClient, _ id: String, _ more: String = "") async throws -> String {
            let answer = try await api.send("PUT", "/api/installations/\(id)", Stage.phone("ok-\(id)", more))
            return try #require(answer.member("secret"))
        }

        @Test("a device does for itself what it may, and nothing for others")
        func itself() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let secret = try await register(api, "one", #""userId":"alice""#)
                    _ = try await register(api, "two")
                    let path = "/api/installations/one"
                    for identity in [APIClient.Identity.device("one", secret), .bearer(secret)] {
                        let phone = api.as(identity)
                        #expect(try await phone.send("GET", path).status == 200)
                        #expect(
                            try await phone.patch(path, #"[{"op":"add","path":"/locale","value":"fr"}]"#).status == 200
                        )
                        for other in ["two", "three"] {
                            let refused = try await phone.send("GET", "/api/installations/\(other)")
                            #expect(refused.status == 403 && refused.member("code") == "forbidden")
                            #expect(try await phone.send("DELETE", "/api/installations/\(other)").status == 403)
                            #expect(
                                try await phone.send("PUT", "/api/installations/\(other)", Stage.phone("x")).status
                                    == 403
                            )
                        }
                        #expect(try await phone.send("GET", "/api/installations").status == 403)
                        #expect(
                            try await phone.send("GET", "/api/jobs/0193f2c4-7d1e-7abc-8def-0123456789ab").status == 403
                        )
                        #expect(try await phone.send("POST", "/api/jobs", "{}").status == 403)
                    }
                    #expect(try await api.as(.device("two", secret)).send("GET", path).status == 401)
                }
            }
        }

        @Test("a device keeps its user or signs it out, but never takes another")
        func users() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let secret = try await register(api, "one", #""userId":"alice""#)
                    let phone = api.as(.bearer(secret))
                    let path = "/api/installations/one"
                    let same = try await phone.send("PUT", path, Stage.phone("ok-2", #""userId":"alice""#))
                    #expect(same.status == 200)
                    #expect(try await phone.send("PUT", path, Stage.phone("ok-2", #""userId":"bob""#)).status == 403)
                    let change = #"[{"op":"add","path":"/userId","value":"bob"}]"#
                    #expect(try await phone.patch(path, change).status == 403)
                    #expect(try await phone.patch(path, #"[{"op":"remove","path":"/userId"}]"#).status == 200)
                    #expect(
                        try await phone.patch(path, #"[{"op":"add","path":"/userId","value":"alice"}]"#).status == 403
                    )
                    #expect(try await api.patch(path, change).status == 200)
                }
            }
        }

        @Test("a device keeps its tags and takes its own user's, but never another user's")
        func userTags() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let secret = try await register(api, "one", #""userId":"alice","tags":["username:carol"]"#)
                    let phone = api.as(.bearer(secret))
                    let path = "/api/installations/one"
                    func tag(_ tag: String) async throws -> Int {
                        try await phone.patch(path, #"[{"op":"add","path":"/tags/-","value":"\#(tag)"}]"#).status
                    }
                    for own in ["username:alice", "username:carol", "news"] { #expect(try await tag(own) == 200) }
                    #expect(try await tag("username:bob") == 403)
                    let bobs = #""userId":"alice","tags":["username:bob"]"#
                    #expect(try await phone.send("PUT", path, Stage.phone("ok-one", bobs)).status == 403)
                    #expect(try await api.send("PUT", path, Stage.phone("ok-one", bobs)).status == 200)
                }
            }
        }

        @Test("a user's id that only looks the same is another user's")
        func lookalikes() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let secret = try await register(api, "one", #""userId":"ren\u00e9""#)
                    let change = #"[{"op":"replace","path":"/userId","value":"rene\u0301"}]"#
                    let refused = try await api.as(.bearer(secret)).patch("/api/installations/one", change)
                    #expect(refused.status == 403)
                }
            }
        }

        @Test("after a rotation the old secret is good until the new one is used")
        func rotation() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/one"
                    let first = try await register(api, "one")
                    let rotated = try await api.as(.bearer(first)).send("POST", path + "/secret")
                    #expect(rotated.status == 201)
                    let second = try #require(rotated.member("secret"))
                    #expect(try await api.as(.bearer(first)).send("GET", path).status == 200)
                    #expect(try await api.as(.bearer(second)).send("GET", path).status == 200)
                    #expect(try await api.as(.bearer(first)).send("GET", path).status == 401)
                    #expect(try await api.send("POST", "/api/installations/none/secret").status == 404)
                    let stored = try await stage.database.texts(
                        "SELECT encode(secret_hash, 'escape') FROM dispatcher.device_secret"
                    )
                    #expect(stored.count == 1 && !stored[0][0].contains(second))
                    #expect(try await api.as(.bearer(second)).send("DELETE", path).status == 204)
                    #expect(try await api.as(.bearer(second)).send("GET", path).status == 401)
                }
            }
        }

        @Test("a secret outlives the server")
        func restart() async throws {
            try await Stage.with { stage in
                let secret = try await stage.withAPI { try await register($0, "one") }
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = api.as(.device("one", secret))
                    #expect(try await phone.send("GET", "/api/installations/one").status == 200)
                    #expect(
                        try await api.send("PUT", "/api/installations/one", Stage.phone("ok-2")).member("secret") == nil
                    )
                }
            }
        }
    }
}
