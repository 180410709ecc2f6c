import Foundation
import HTTP
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct HardeningTests {
        /// Sends text as it is and reads until the server closes.
        private func raw(_ text: String, _ api: APIClient) async throws -> String {
            String(decoding: try await HTTPExchange.run(Array(text.utf8), port: api.port), as: UTF8.self)
        }

        private static let mark = "<script>mark</script>"

        @Test("one request that could be read as two is refused, and what stands behind it is never answered")
        func smuggling() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let inner = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
                    for framing in [
                        "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nTransfer-Encoding: chunked",
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Content-Length: 5, 5",
                        "Content-Length: +5", "Content-Length : 5", "Content-Length: 0x5",
                        "Transfer-Encoding: identity, chunked", "Transfer-Encoding: chunked\r\nContent-Length: 0",
                        "Transfer-Encoding:\u{b}chunked", "Transfer-Encoding\t: chunked",
                    ] {
                        let head = "POST /api/jobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\(framing)\r\n\r\n"
                        let answer = try await raw(head + "0\r\n\r\n" + inner, api)
                        #expect(!answer.contains("alive"), "\(framing): \(answer)")
                        // The library says its own 400 twice, so it is not counted how often no was said.
                        let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
                        #expect(!statuses.isEmpty && statuses.allSatisfy { ["400", "501"].contains($0) }, "\(answer)")
                        #expect(answer.contains("Connection: close"))
                    }
                }
            }
        }

        @Test("what takes long bodies gives slow networks the time for them")
        func uploadTime() throws {
            let streamed = APIRoute.all.filter(\.isStreamed)
            #expect(!streamed.isEmpty)
            for route in streamed {
                let seconds = try #require(route.timeLimit).components.seconds
                #expect(try #require(route.bodyLimit) / Int(seconds) <= 300 * 1024, "\(route.pattern)")
            }
        }

        @Test("a path is what it says: escapes, dots, slashes and other forms open nothing")
        func paths() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let nobody = api.as(.nobody)
                    for (path, status) in [
                        ("//health", 404), ("/health/", 404), ("/HEALTH", 404), ("/./health", 400),
                        ("/x/../health", 400),
                        ("/%2e%2e/health", 400), ("/%2E/health", 400), ("/health%00", 400), ("/health%2f", 404),
                        ("/%68ealth", 200), ("/health%ff", 400), ("/health%c0%ae", 400), ("/health;x", 404),
                        ("/health%", 400), ("/health%4", 400), ("\\health", 400), ("/%252e%252e/health", 404),
                        ("http://other.example/health", 200), ("http:///health", 400), ("*", 400), ("other:443", 400),
                        ("/api//installations/x", 404), ("/api/installations/", 404), ("/health?a=%00", 400),
                        ("/api/installations/\(String(repeating: "a", count: 257))", 401),
                    ] {
                        #expect(try await nobody.send("GET", path).status == status, "\(path)")
                    }
                    let long = String(repeating: "a", count: 257)
                    for id in [long, "%20", "a%0d%0ab", "%7f", "%C2%85", "%E2%80%A8"] {
                        let answer = try await api.send("PUT", "/api/installations/\(id)", Stage.phone("ok-1"))
                        #expect(answer.status == 400, "\(id): \(answer.text)")
                        #expect(answer.headers.count < 20)
                    }
                }
            }
        }

        @Test("nothing that a client sends comes back from a refusal, but for names, escaped and short")
        func reflection() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let mark = Self.mark
                    let escaped = APIClient.escaped(mark)
                    let long = String(repeating: "m", count: 100_000)
                    let answers = [
                        try await api.send("GET", "/\(escaped)"),
                        try await api.send("GET", "/api/installations?\(escaped)=1"),
                        try await api.send("GET", "/api/installations?tags=\(escaped)"),
                        try await api.send("GET", "/api/installations?limit=\(escaped)&platform=\(escaped)"),
                        try await api.send("GET", "/api/installations/x", nil, ["X-Marked": mark, "Cookie": mark]),
                        try await api.send(mark, "/health"),
                        try await api.send("PUT", "/api/installations/x", #"{"platform":"\#(mark)"}"#),
                        try await api.send("PUT", "/api/installations/x", #"{"\#(mark)":1}"#),
                        try await api.send("PUT", "/api/installations/x", #"{"\#(long)":1}"#),
                        try await api.send("PUT", "/api/installations/x", #"{"platform":"\#(long)"}"#),
                        try await api.patch("/api/installations/x", #"[{"op":"\#(mark)","path":"/\#(long)"}]"#),
                        try await api.send(
                            "POST",
                            "/api/jobs",
                            #"{"to":{"tags":"\#(mark)"},"content":{"\#(mark)":1}}"#
                        ),
                        try await api.send("POST", "/api/jobs", #"{"to":{"\#(long)":1}}"#),
                        try await api.send("PUT", "/api/installations/x", "{}", ["Content-Type": mark]),
                        try await api.as(.field("Bearer \(mark)")).send("GET", "/api/installations/x"),
                    ]
                    for (number, answer) in answers.enumerated() {
                        #expect((400..<500).contains(answer.status), "\(number): \(answer.text)")
                        #expect(answer.body.count < 2048, "\(number): \(answer.body.count) octets")
                        #expect(answer["Content-Type"] == "application/problem+json")
                        #expect(answer["X-Content-Type-Options"] == "nosniff")
                        #expect(!answer.headers.values.contains { $0.contains("mark") }, "\(number)")
                        if answer.text.contains("mark") {
                            // A browser that takes the document for a page still runs nothing of it.
                            #expect(answer["Content-Security-Policy"]?.contains("default-src 'none'") == true)
                            #expect(answer.member("path")?.contains("mark") == true, "\(number): \(answer.text)")
                        }
                    }
                }
            }
        }

        @Test("other origins get nothing: no preflight is granted, and no answer may be read by them")
        func origins() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let foreign = ["Origin": "https://evil.example"]
                    let preflight = foreign.merging(
                        ["Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"]
                    ) { $1 }
                    for answer in [
                        try await api.send("OPTIONS", "/api/installations/x", nil, preflight),
                        try await api.send("GET", "/health", nil, foreign),
                        try await api.send("GET", "/api/installations", nil, foreign),
                        try await api.send("GET", "/nothing", nil, foreign),
                    ] {
                        #expect(!answer.headers.keys.contains { $0.lowercased().hasPrefix("access-control") })
                        #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
                    }
                }
            }
        }

        @Test("faults of the protocol have the fields of every answer, and a request id")
        func faults() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let huge = String(repeating: "a", count: 9000)
                    for request in [
                        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \(huge)\r\n\r\n",
                        "PUT /api/installations/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n"
                            + "Content-Length: 99999999\r\n\r\n",
                        "POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
                        "GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                        "POST /api/jobs HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 1\r\n\r\nx",
                    ] {
                        let answer = try #require(
                            APIClient.Answer(try await HTTPExchange.run(Array(request.utf8), port: api.port))
                        )
                        #expect((400..<500).contains(answer.status), "\(request.prefix(60)): \(answer.status)")
                        #expect(answer["Content-Type"] == "application/problem+json", "\(request.prefix(60))")
                        for name in [
                            "X-Request-Id", "X-Content-Type-Options", "Cache-Control", "Content-Security-Policy",
                            "Referrer-Policy", "Cross-Origin-Resource-Policy",
                        ] {
                            #expect(answer[name] != nil, "\(request.prefix(60)): \(name)")
                        }
                    }
                }
            }
        }

        @Test("connections beyond the configured number, in all or of one address, are closed at once")
        func connectionCaps() async throws {
            try await Stage.with { stage in
                for (name, count) in [
                    ("DISPATCHER_HTTP_CONNECTIONS", 16), ("DISPATCHER_HTTP_CONNECTIONS_PER_ADDRESS", 3),
                ] {
                    try await stage.withAPI([name: "\(count)"]) { (api: APIClient) async throws in
                        let open = try (0..<count).map { _ in try OpenConnection(port: api.port) }
                        for connection in open { #expect(try connection.status() == 200) }
                        let further = try OpenConnection(port: api.port)
                        #expect((try? further.status()) == nil, "\(name)")
                        open[0].close()
                        let isFree = await eventually { try OpenConnection(port: api.port).status() == 200 }
                        #expect(isFree, "a place becomes free again")
                    }
                }
            }
        }

        @Test("the limits of the page are those of the code")
        func documentedLimits() throws {
            let root = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let page = try String(contentsOf: root.appendingPathComponent("docs/http-api.md"), encoding: .utf8)
            let server = try HTTPSettings(Environment([:])).server
            for row in [
                "| request line and header fields | \(server.headerLimit / 1024) KiB |",
                "| silence of a connection | \(server.idleTimeout.components.seconds) s |",
                "| a whole request, from its first octet to its last | \(server.receiveTimeLimit.components.seconds) s |",
                "| work on a request | \(server.handlerTimeLimit.components.seconds) s |",
                "| a client's reading of an answer | \(server.sendTimeLimit.components.seconds) s |",
                "| connections | \(server.connectionLimit) |",
                "| running requests at the stop | \(server.drainTimeLimit.components.seconds) s |",
            ] {
                #expect(page.contains(row), "docs/http-api.md lacks: \(row)")
            }
            #expect(server.connectionsPerAddressLimit == 0)
        }
    }
}
