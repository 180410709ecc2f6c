import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct ProtocolTests {
        @Test("every answer has a request id and the fields that keep it private")
        func fields() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    var ids: Set<String> = []
                    let nobody = api.as(.nobody)
                    let requests = [
                        ("GET", "/health", 200), ("GET", "/nothing", 404), ("POST", "/health", 405),
                        ("OPTIONS", "/api/jobs", 204), ("GET", "/api/installations", 401), ("HEAD", "/health", 200),
                        ("PUT", "/api/installations/x", 401), ("GET", "/api/%2e%2e/x", 400),
                        ("GET", "/api/installations/a%00b", 400),
                    ]
                    for (method, path, status) in requests {
                        let answer = try await nobody.send(method, path, method == "PUT" ? "{}" : nil)
                        #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                        #expect(answer["X-Content-Type-Options"] == "nosniff" && answer["Cache-Control"] == "no-store")
                        #expect(answer["Access-Control-Allow-Origin"] == nil)
                        ids.insert(try #require(answer["X-Request-Id"]))
                        guard status >= 400 else { continue }
                        #expect(answer["Content-Type"] == "application/problem+json")
                        #expect(answer.member("status") == "\(status)")
                        #expect(answer.member("instance") == "urn:uuid:" + (answer["X-Request-Id"] ?? ""))
                        #expect(!answer.text.contains(path), "what was asked is not repeated")
                    }
                    #expect(ids.count == requests.count)
                }
            }
        }

        @Test("a method that a path does not take is answered with those it does")
        func methods() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let refused = try await api.send("POST", "/api/installations/x", "{}")
                    #expect(refused.status == 405)
                    #expect(refused["Allow"] == "DELETE, GET, HEAD, PATCH, PUT, OPTIONS")
                    let options = try await api.as(.nobody).send("OPTIONS", "/api/jobs/x")
                    #expect(options.status == 204 && options["Allow"] == "DELETE, GET, HEAD, PUT, OPTIONS")
                    for (name, methods) in [("import", "POST, OPTIONS"), ("export", "GET, HEAD, OPTIONS")] {
                        let options = try await api.as(.nobody).send("OPTIONS", "/api/installations/\(name)")
                        #expect(options["Allow"] == methods)
                    }
                    _ = try await api.send("PUT", "/api/installations/x", Stage.phone("ok-1"))
                    let head = try await api.send("HEAD", "/api/installations/x")
                    #expect(head.status == 200 && head.body.isEmpty && head["ETag"] != nil)
                }
            }
        }

        @Test("what is wrong with a text of the address is said by its name")
        func addresses() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let long = String(repeating: "%C3%A9", count: 129)
                    for (path, code, name) in [
                        ("/api/installations?user=\(long)", "tooLong", "user"),
                        ("/api/installations?user=%07", "invalidFormat", "user"),
                        ("/api/installations?after=a%20b", "invalidFormat", "after"),
                        ("/api/installations?limit=%2B5", "invalidFormat", "limit"),
                        ("/api/installations/export?platform=ios", "invalidFormat", "platform"),
                        ("/api/installations/\(long)", "tooLong", "id"),
                        ("/api/categories/a%0Ab", "invalidFormat", "id"), ("/api/categories/\(long)", "tooLong", "id"),
                        ("/api/inbox?user=a&thread=\(long)", "tooLong", "thread"),
                        ("/api/inbox?user=a&after=01.2", "invalidFormat", "after"),
                        ("/api/jobs?state=scheduled&after=1.2", "invalidFormat", "after"),
                        ("/api/notifications/1?hub=a%20b", "invalidFormat", "hub"),
                        ("/api/notifications/1?expires=-1", "invalidFormat", "expires"),
                        ("/api/notifications/1?expires=9223372036854775808", "invalidFormat", "expires"),
                    ] {
                        let answer = try await api.send("GET", path)
                        #expect(answer.status == 400 && answer.member("code") == code, "\(path): \(answer.text)")
                        #expect(answer.member("path") == name, "\(path)")
                    }
                    #expect(try await api.send("GET", "/api/notifications/1?hub=a&expires=1").status == 404)
                }
            }
        }

        @Test("an id with a slash, a quote or a dot-dot is only an id")
        func ids() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    for id in ["a%2Fb", "..%2F..%2Fetc%2Fpasswd", "%27;DROP--", "%7Bid%7D", "%F0%9F%93%B1"] {
                        let path = "/api/installations/\(id)"
                        let channel = Stage.phone("ok-\(id)")
                        #expect(try await api.send("PUT", path, channel).status == 201, "\(id)")
                        let read = try await api.send("GET", path)
                        #expect(read.status == 200 && read.member("installationId") == id.removingPercentEncoding)
                    }
                    #expect(try await api.send("GET", "/api/installations/a/b").status == 404)
                    for name in ["import", "export"] {
                        let answer = try await api.send("PUT", "/api/installations/\(name)", Stage.phone("ok-1"))
                        #expect(answer.status == 405, "\(name)")
                        let secret = try await api.send("POST", "/api/installations/\(name)/secret")
                        #expect(secret.status == 400 && secret.member("code") == "invalidFormat")
                    }
                }
            }
        }
    }
}
