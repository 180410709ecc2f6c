import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct MalformedRequestTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let request: String
            let status: Int
            var closes = true
            var testDescription: String { String(request.prefix(70)) }
        }

        static let cases = [
            Case(request: "GET / HTTP/1.1\r\n\r\n", status: 400, closes: false),
            Case(request: "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "GET /a/%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "GET * HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(request: "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", status: 400, closes: false),
            Case(
                request: "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nauthorization: b\r\n\r\n",
                status: 400,
                closes: false
            ),
            Case(
                request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                status: 400
            ),
            Case(
                request:
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                status: 400
            ),
            Case(request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", status: 501),
            Case(request: "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
            Case(request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc", status: 400),
            Case(request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", status: 400),
            Case(request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", status: 413),
            Case(request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", status: 400),
            Case(request: "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", status: 400),
            Case(request: "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", status: 400),
            Case(request: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", status: 505),
            Case(
                request: "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 9000) + "\r\n\r\n",
                status: 431
            ),
            Case(request: "GET /" + String(repeating: "a", count: 30000) + " HTTP/1.1\r\nHost: a\r\n\r\n", status: 414),
        ]

        @Test("a request that breaks the rules is refused", arguments: cases)
        func refused(_ broken: Case) async throws {
            try await withServer { server in
                let port = server.boundPort
                let (status, isClosed) = try await offPool {
                    let client = try RawClient(port)
                    try client.send(broken.request)
                    let status = try client.receive().status
                    guard broken.closes else {
                        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                        return (status, try client.receive().status != 200)
                    }
                    // 0.9.75 may add octets to an answer of its own; after them it closes.
                    _ = try? client.rest()
                    return (status, true)
                }
                #expect(status == broken.status)
                #expect(isClosed == broken.closes)
            }
        }

        @Test(
            "octets that are no request at all end the connection and nothing else",
            arguments: [1, 2, 3, 4, 5, 6, 7, 8]
        )
        func noise(seed: UInt64) async throws {
            try await withServer { server in
                let port = server.boundPort
                let status = try await offPool {
                    var generator = SeededGenerator(seed: seed)
                    for _ in 0..<40 {
                        let client = try RawClient(port)
                        let start = ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"]
                        try client.send(start[Int(generator.next() % 3)])
                        let count = Int(generator.next() % 600)
                        try? client.send((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) })
                    }
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    return try client.receive().status
                }
                #expect(status == 200, "seed \(seed)")
                #expect(await eventually { server.counters.requestsOpen == 0 }, "seed \(seed)")
            }
        }
    }
}
