import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct InstallationAPITests {
        @Test("a device is registered, read, replaced and removed")
        func course() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/phone-1"
                    let more = #""userId":"alice","tags":["a"],"locale":"en""#
                    let created = try await api.send("PUT", path, Stage.phone("ok-1", more))
                    #expect(created.status == 201 && created.member("installationId") == "phone-1", "\(created.text)")
                    #expect(created.member("secret")?.utf8.count == 43)
                    let read = try await api.send("GET", path)
                    #expect(read.status == 200 && read["ETag"] == created["ETag"])
                    #expect(
                        read.text
                            == #"{"installationId":"phone-1","userId":"alice","platform":"apns","pushChannel":"ok-1","environment":"production","tags":["a"],"locale":"en","permission":"notDetermined"}"#
                    )
                    let unchanged = try await api.send("GET", path, nil, ["If-None-Match": read["ETag"] ?? ""])
                    #expect(unchanged.status == 304 && unchanged.body.isEmpty)
                    let again = try await api.send("PUT", path, read.text)
                    #expect(again.status == 200 && again.member("secret") == nil && again["ETag"] != read["ETag"])
                    #expect(try await api.send("GET", path).text == read.text)
                    for _ in 1...2 { #expect(try await api.send("DELETE", path).status == 204) }
                    #expect(try await api.send("GET", path).status == 404)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.device_secret") == 0)
                }
            }
        }

        @Test("conditions hold: only new, only this version, and of two changes at once one")
        func conditions() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/phone-1"
                    let onlyNew = ["If-None-Match": "*"]
                    let phone = Stage.phone("ok-1")
                    #expect(try await api.send("PUT", path, phone, ["If-Match": "*"]).status == 412)
                    async let first = api.send("PUT", path, phone, onlyNew).status
                    async let second = api.send("PUT", path, phone, onlyNew).status
                    #expect(try await [first, second].sorted() == [201, 412])
                    let tag = try #require(try await api.send("GET", path)["ETag"])
                    let change = #"[{"op":"add","path":"/tags/-","value":"x"}]"#
                    async let left = api.patch(path, change, ["If-Match": tag]).status
                    async let right = api.patch(path, change, ["If-Match": tag]).status
                    #expect(try await [left, right].sorted() == [200, 412])
                    #expect(try await api.send("PUT", path, phone, ["If-Match": tag]).status == 412)
                    #expect(try await api.send("DELETE", path, nil, ["If-Match": tag]).status == 412)
                    let now = try #require(try await api.send("GET", path)["ETag"])
                    #expect(try await api.send("DELETE", path, nil, ["If-Match": now]).status == 204)
                }
            }
        }

        @Test("twenty changes at once without a condition all count")
        func concurrency() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/phone-1"
                    _ = try await api.send("PUT", path, Stage.phone("ok-1"))
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 0..<20 {
                            group.addTask {
                                try await api.patch(path, #"[{"op":"add","path":"/tags/-","value":"t\#(number)"}]"#)
                                    .status
                            }
                        }
                        for try await status in group { #expect(status == 200) }
                    }
                    let tags = try await stage.database.count(
                        "SELECT cardinality(tags) FROM dispatcher.installation WHERE installation_id = 'phone-1'"
                    )
                    #expect(tags == 20)
                }
            }
        }

        @Test("a patch changes parts, and what cannot be done is refused with its place, leaving all as it was")
        func patches() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/phone-1"
                    #expect(try await api.patch(path, "[]").status == 404)
                    _ = try await api.send("PUT", path, Stage.phone("ok-1", #""tags":["a","b"]"#))
                    let changed = try await api.patch(
                        path,
                        #"[{"op":"remove","path":"/tags/a"},{"op":"add","path":"/userId","value":"bob"}]"#
                    )
                    #expect(changed.status == 200 && changed.member("userId") == "bob", "\(changed.text)")
                    let refusals = [
                        (#"[{"op":"test","path":"/userId","value":"eve"}]"#, 409, "testFailed", "$[0]"),
                        (#"[{"op":"remove","path":"/topic"}]"#, 409, "noTarget", "$[0].path"),
                        (
                            #"[{"op":"remove","path":"/userId"},{"op":"remove","path":"/pushChannel"}]"#, 422,
                            "missingMember", "$.pushChannel"
                        ),
                        (#"[{"op":"replace","path":"/tags","value":"x,y"}]"#, 422, "wrongType", "$.tags"),
                        (#"[{"op":"remove","path":"/platform"}]"#, 400, "outOfRange", "$[0].path"),
                        ("[", 400, "invalidJSON", "$"),
                    ]
                    for (patch, status, code, place) in refusals {
                        let refused = try await api.patch(path, patch)
                        #expect(refused.status == status && refused.member("code") == code, "\(patch): \(refused.text)")
                        #expect(refused.member("path") == place, "\(patch)")
                        #expect(refused["Content-Type"] == "application/problem+json")
                    }
                    let text = try await api.send("PATCH", path, "[]", ["Content-Type": "text/plain"])
                    #expect(text.status == 415)
                    #expect(try await api.send("GET", path)["ETag"] == changed["ETag"])
                }
            }
        }

        @Test("a document that is wrong is refused with the member's place")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/phone-1"
                    for (body, status, place) in [
                        ("{", 400, "$"), ("[]", 400, "$"), (Stage.phone("a", #""tags":["ü"]"#), 400, "$.tags[0]"),
                        (#"{"platform":"apns"}"#, 400, "$.pushChannel"),
                        (Stage.phone("a", #""installationId":"other""#), 400, "$.installationId"),
                        (Stage.phone("a", #""hub":"elsewhere""#), 403, "$.hub"),
                        (Stage.phone("a", #""colour":"red""#), 400, "$.colour"),
                    ] {
                        let answer = try await api.send("PUT", path, body)
                        #expect(answer.status == status && answer.member("path") == place, "\(body): \(answer.text)")
                    }
                    let long = Stage.phone(String(repeating: "x", count: 300_000))
                    #expect(try await api.send("PUT", path, long).status == 413)
                    #expect(try await api.send("PUT", "/api/installations/a%20b", Stage.phone("a")).status == 400)
                    #expect(try await api.send("PUT", path + "?x=1", Stage.phone("a")).status == 400)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.installation") == 0)
                }
            }
        }

        @Test("one channel is one installation: whoever registers it last has it")
        func takeover() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await api.send("PUT", "/api/installations/old", Stage.phone("ok-1"))
                    #expect(try await api.send("PUT", "/api/installations/new", Stage.phone("ok-1")).status == 201)
                    _ = try await api.send("PUT", "/api/installations/third", Stage.phone("ok-3"))
                    let moved = try await api.patch(
                        "/api/installations/third",
                        #"[{"op":"replace","path":"/pushChannel","value":"ok-1"}]"#
                    )
                    #expect(moved.status == 200)
                    let live = "SELECT installation_id FROM dispatcher.installation WHERE retired_at IS NULL"
                    #expect(try await stage.database.texts(live) == [["third"]])
                    let reason =
                        "SELECT DISTINCT retire_reason FROM dispatcher.installation WHERE retired_at IS NOT NULL"
                    #expect(try await stage.database.texts(reason) == [["ChannelTaken"]])
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 0..<10 {
                            group.addTask {
                                try await api.send("PUT", "/api/installations/r\(number)", Stage.phone("ok-race"))
                                    .status
                            }
                        }
                        for try await status in group { #expect(status == 201) }
                    }
                    let count = try await stage.database.count(
                        "SELECT count(*) FROM dispatcher.installation WHERE retired_at IS NULL AND push_channel = 'ok-race'"
                    )
                    #expect(count == 1)
                }
            }
        }

        @Test("a channel that jobs address directly is no installation, and its id cannot be taken")
        func directChannels() async throws {
            try await Stage.with { stage in
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, is_direct)
                    SELECT id, 'channel:apns:1', 1, 'ok-1', true FROM dispatcher.hub
                    """
                )
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/channel:apns:1"
                    let taken = try await api.send("PUT", path, Stage.phone("ok-1"))
                    #expect(taken.status == 409 && taken.member("code") == "collision", "\(taken.text)")
                    #expect(try await api.send("GET", path).status == 404)
                    #expect(try await api.send("DELETE", path).status == 204)
                    #expect(try await api.send("GET", "/api/installations").text == #"{"installations":[]}"#)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.installation") == 1)
                }
            }
        }

        @Test("a search finds by user, tags and platform, and goes on page by page")
        func search() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    for number in 1...5 {
                        let more = #""userId":"\#(number < 3 ? "alice" : "bob")","tags":["n\#(number)","all"]"#
                        let path = "/api/installations/p\(number)"
                        #expect(try await api.send("PUT", path, Stage.phone("ok-\(number)", more)).status == 201)
                    }
                    func ids(_ query: String) async throws -> [String] {
                        let answer = try await api.send("GET", "/api/installations" + query)
                        let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
                        let list = object?["installations"] as? [[String: Any]] ?? []
                        return list.map { "\($0["installationId"] ?? "")" }
                            + (object?["next"].map { ["next \($0)"] } ?? [])
                    }
                    #expect(try await ids("").count == 5)
                    #expect(try await ids("?user=alice") == ["p1", "p2"])
                    #expect(try await ids("?tags=all%20%26%26%20!n2&user=alice") == ["p1"])
                    #expect(try await ids("?platform=fcmV1") == [])
                    #expect(try await ids("?limit=2") == ["p1", "p2", "next p2"])
                    #expect(try await ids("?limit=2&after=p2") == ["p3", "p4", "next p4"])
                    #expect(try await ids("?limit=2&after=p4") == ["p5"])
                    for query in [
                        "?limit=0", "?limit=x", "?tags=%26", "?platform=pager", "?colour=red", "?user=a&user=b",
                    ] {
                        #expect(try await api.send("GET", "/api/installations" + query).status == 400, "\(query)")
                    }
                }
            }
        }
    }
}
