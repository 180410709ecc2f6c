import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct RequestTests {
        @Test("a connection is kept for the next request")
        func keepAlive() async throws {
            try await withServer { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let client = try RawClient(port)
                    return try (0..<3).map { _ in
                        try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                        return try client.receive().status
                    }
                }
                #expect(statuses == [200, 200, 200])
                #expect(await eventually { server.counters.connectionsAccepted == 1 })
                #expect(server.counters.requestsStarted == 3)
            }
        }

        @Test("pipelined requests are answered in order, also when the first takes longer")
        func pipelining() async throws {
            try await withServer(handler: { request in
                if request.target.segments == ["1"] { try? await Task.sleep(for: .milliseconds(50)) }
                return .text(.ok, request.target.segments.joined())
            }) { server in
                let port = server.boundPort
                let bodies = try await offPool {
                    let client = try RawClient(port)
                    try client.send((1...4).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
                    return try (0..<4).map { _ in try client.receive().text }
                }
                #expect(bodies == ["1", "2", "3", "4"])
            }
        }

        @Test("the target, the fields and the body arrive as they were sent")
        func verbatim() async throws {
            try await withServer(handler: { request in
                let raw = String(decoding: request.target.raw, as: UTF8.self)
                let fields = request.headers.values(of: "x-a").joined(separator: "|")
                let body = String(decoding: request.bytes, as: UTF8.self)
                return .text(.ok, "\(request.method.rawValue) \(raw) \(fields) \(body) \(request.head.peer.host)")
            }) { server in
                let port = server.boundPort
                let text = try await offPool {
                    let client = try RawClient(port)
                    let fields = "X-A:  one \r\nX-a: two\r\nContent-Length: 4\r\n"
                    try client.send("PUT /a%2Fb/%C3%A4?q=%20&q=+ HTTP/1.1\r\nHost: x\r\n\(fields)\r\nbody")
                    return try client.receive().text
                }
                #expect(text == "PUT /a%2Fb/%C3%A4?q=%20&q=+ one|two body 127.0.0.1")
            }
        }

        @Test("a chunked body is put together")
        func chunked() async throws {
            try await withServer(handler: { .json(.ok, $0.bytes) }) { server in
                let port = server.boundPort
                let texts = try await offPool {
                    let client = try RawClient(port)
                    return try (0..<2).map { _ in
                        try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                        try client.send("3\r\nabc\r\n4;extension=1\r\ndefg\r\n0\r\nTrailer: 1\r\n\r\n")
                        return try client.receive().text
                    }
                }
                #expect(texts == ["abcdefg", "abcdefg"])
            }
        }

        @Test("HEAD has the fields of GET and no body")
        func head() async throws {
            try await withServer { server in
                let port = server.boundPort
                let (head, get) = try await offPool {
                    let client = try RawClient(port)
                    try client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return (try client.receive(isHead: true), try client.receive())
                }
                #expect(head["Content-Length"] == "5")
                #expect(get.text == "hello")
                #expect(get["Date"].flatMap { HTTPDate.parse($0) } != nil)
            }
        }

        @Test("100 Continue is sent for a body that is wanted")
        func continues() async throws {
            try await withServer(handler: { .json(.ok, $0.bytes) }) { server in
                let port = server.boundPort
                let (interim, text) = try await offPool {
                    let client = try RawClient(port)
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                    let interim = try client.receive().status
                    try client.send("ok")
                    return (interim, try client.receive().text)
                }
                #expect(interim == 100)
                #expect(text == "ok")
            }
        }

        @Test("100 Continue is not sent for a body that is refused", arguments: ["100-continue", "200-maybe"])
        func refusesToContinue(expectation: String) async throws {
            let wanted = expectation == "100-continue" ? 401 : 417
            try await withServer(policy: { _ in .refuse(HTTPResponse(.unauthorized)) }) { server in
                let port = server.boundPort
                let (status, isClosed) = try await offPool {
                    let client = try RawClient(port)
                    let fields = "Expect: \(expectation)\r\nContent-Length: 5000000\r\n"
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
                    return (try client.receive().status, try client.isClosed())
                }
                #expect(status == wanted)
                #expect(isClosed)
            }
        }

        @Test("a refused request without a body keeps its connection")
        func refusalKeepsConnection() async throws {
            let policy: @Sendable (HTTPRequestHead) -> BodyPolicy = { head in
                head.target.segments == ["no"] ? .refuse(HTTPResponse(.unauthorized)) : .none
            }
            try await withServer(policy: policy) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let client = try RawClient(port)
                    return try ["no", "yes"].map { path in
                        try client.send("GET /\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                        return try client.receive().status
                    }
                }
                #expect(statuses == [401, 200])
            }
        }
    }
}
