import Glibc
import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct LimitTests {
        @Test("a response that trickles out is cut at the time limit")
        func slowReader() async throws {
            let body = [UInt8](repeating: 7, count: 64 << 20)
            try await withServer({ $0.sendTimeLimit = .milliseconds(500) }, handler: { _ in .json(.ok, body) }) {
                server in
                let port = server.boundPort
                let count = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    var count = 0
                    var chunk = [UInt8](repeating: 0, count: 4096)
                    while case let read = recv(client.descriptor, &chunk, chunk.count, 0), read > 0 {
                        count += read
                        if count < 400_000 { usleep(10_000) }
                    }
                    return count
                }
                #expect(count < body.count)
                #expect(server.counters.timeouts == 1)
            }
        }

        @Test("a header just below the limit is read, with few fields or many", arguments: [1, 4, 40])
        func largeHeader(fields: Int) async throws {
            try await withServer(handler: { .text(.ok, "\($0.headers.count)") }) { server in
                let port = server.boundPort
                let texts = try await offPool {
                    let client = try RawClient(port)
                    let value = String(repeating: "v", count: 8000 / fields - 10)
                    let header = (0..<fields).map { "X-\($0): \(value)\r\n" }.joined()
                    return try (0..<2).map { _ in
                        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\(header)\r\n")
                        return try client.receive().text
                    }
                }
                #expect(texts == ["\(fields + 1)", "\(fields + 1)"])
            }
        }

        @Test("a client that sends a refused upload all the same reads the answer")
        func refusedUpload() async throws {
            try await withServer(policy: { _ in .refuse(HTTPResponse(.unauthorized)) }) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    try (0..<10).map { _ in
                        let client = try RawClient(port)
                        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(8 << 20)\r\n\r\n")
                        try client.send([UInt8](repeating: 1, count: 8 << 20))
                        return try client.receive().status
                    }
                }
                #expect(statuses.allSatisfy { $0 == 401 })
                #expect(server.counters.bytesReceived == 0)
            }
        }

        @Test("a declared length beyond the limit is refused before a body is read")
        func declaredLength() async throws {
            try await withServer(policy: { _ in .collect(limit: 1000) }) { server in
                let port = server.boundPort
                let (status, isClosed) = try await offPool {
                    let client = try RawClient(port)
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n")
                    return (try client.receive().status, try client.isClosed())
                }
                #expect(status == 413)
                #expect(isClosed)
                #expect(server.counters.bytesReceived == 0)
            }
        }

        @Test(
            "a chunked body beyond the limit is answered with 413",
            arguments: [BodyPolicy.collect(limit: 1000), .stream(limit: 1000)]
        )
        func chunkedLength(policy: BodyPolicy) async throws {
            let body = String(repeating: "400\r\n" + String(repeating: "a", count: 1024) + "\r\n", count: 20)
            try await withServer(policy: { _ in policy }, handler: { await Self.count($0) }) { server in
                let port = server.boundPort
                let status = try await offPool {
                    let client = try RawClient(port)
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                    try client.send(body + "0\r\n\r\n")
                    return try client.receive().status
                }
                #expect(status == 413)
            }
        }

        @Test("a chunked body far beyond the limit ends the connection")
        func endless() async throws {
            try await withServer(policy: { _ in .collect(limit: 1000) }) { server in
                let port = server.boundPort
                let isCut = try await offPool {
                    let client = try RawClient(port)
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                    let chunk = "10000\r\n" + String(repeating: "a", count: 65536) + "\r\n"
                    for _ in 0..<1000 {
                        do { try client.send(chunk) } catch { return true }
                    }
                    return false
                }
                #expect(isCut)
                #expect(server.counters.bytesReceived < 2 * 1024 * 1024)
            }
        }

        @Test("a header that trickles in is cut at the time limit")
        func slowHeader() async throws {
            try await withServer({ $0.receiveTimeLimit = .milliseconds(600) }) { server in
                let port = server.boundPort
                let isCut = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\nX: ")
                    return Self.trickles(client)
                }
                #expect(isCut)
                #expect(server.counters.timeouts == 1)
                #expect(await eventually { server.counters.connectionsOpen == 0 })
            }
        }

        @Test("a request line that trickles in is cut at the time limit")
        func slowRequestLine() async throws {
            try await withServer({
                $0.receiveTimeLimit = .milliseconds(300)
                $0.idleTimeout = .milliseconds(300)
            }) { server in
                let port = server.boundPort
                let isCut = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET /")
                    return Self.trickles(client)
                }
                #expect(isCut)
                #expect(server.counters.timeouts == 1)
            }
        }

        @Test(
            "a body that trickles in is cut at the time limit",
            arguments: [BodyPolicy.collect(limit: 1000), .stream(limit: 1000)]
        )
        func slowBody(policy: BodyPolicy) async throws {
            let ended = Gate()
            try await withServer(
                { $0.receiveTimeLimit = .milliseconds(600) },
                policy: { _ in policy },
                handler: { request in
                    defer { ended.open() }
                    return await Self.count(request)
                }
            ) { server in
                let port = server.boundPort
                let isCut = try await offPool {
                    let client = try RawClient(port)
                    try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n")
                    return Self.trickles(client)
                }
                #expect(isCut)
                #expect(server.counters.timeouts == 1)
                if case .stream = policy { #expect(await eventually { ended.isOpen }) }
            }
        }

        @Test("a silent connection is closed after the idle timeout")
        func idle() async throws {
            try await withServer({ $0.idleTimeout = .seconds(1) }) { server in
                let port = server.boundPort
                let isClosed = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    _ = try client.receive()
                    return try client.isClosed()
                }
                #expect(isClosed)
            }
        }

        @Test("connections beyond the limit are closed at once, and places become free again")
        func connectionLimit() async throws {
            try await withServer({
                $0.threads = 1
                $0.connectionLimit = 3
            }) { server in
                let port = server.boundPort
                let (isRefused, status) = try await offPool {
                    var clients = try (0..<3).map { _ in try RawClient(port) }
                    for client in clients {
                        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                        _ = try client.receive()
                    }
                    let isRefused = try RawClient(port).isClosed()
                    clients.removeFirst()
                    while server.counters.connectionsOpen == 3 { usleep(5000) }
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return (isRefused, try client.receive().status)
                }
                #expect(isRefused)
                #expect(status == 200)
            }
        }

        @Test("a burst beyond the limit stops no thread: afterwards all places are served", arguments: [1, 2, 4])
        func burst(threads: Int) async throws {
            try await withServer({
                $0.threads = threads
                $0.connectionLimit = 8
            }) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    for _ in 0..<20 {
                        let burst = try (0..<40).map { _ in try RawClient(port) }
                        withExtendedLifetime(burst) {}
                    }
                    while true {
                        let counters = server.counters
                        let seen = counters.connectionsAccepted + counters.connectionsRefused
                        if seen == 800, counters.connectionsOpen == 0 { break }
                        usleep(5000)
                    }
                    let clients = try (0..<8).map { _ in try RawClient(port) }
                    return try clients.map { client in
                        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                        return try client.receive().status
                    }
                }
                #expect(statuses == Array(repeating: 200, count: 8))
                #expect(server.counters.connectionsRefused > 0)
            }
        }

        @Test("connections of one address beyond its limit are closed at once, and places become free again")
        func connectionsPerAddress() async throws {
            try await withServer({ $0.connectionsPerAddressLimit = 2 }) { server in
                let port = server.boundPort
                let (isRefused, status) = try await offPool {
                    var clients = try (0..<2).map { _ in try RawClient(port) }
                    let isRefused = try RawClient(port).isClosed()
                    clients.removeFirst()
                    while server.counters.connectionsOpen == 2 { usleep(5000) }
                    clients.append(try RawClient(port))
                    try clients[1].send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return (isRefused, try clients[1].receive().status)
                }
                #expect(isRefused)
                #expect(status == 200)
                #expect(server.counters.connectionsRefused == 1)
            }
        }

        /// Sends an octet every 50 ms until that fails.
        static func trickles(_ client: RawClient) -> Bool {
            for _ in 0..<100 {
                usleep(50_000)
                do { try client.send("a") } catch { return true }
            }
            return false
        }

        static func count(_ request: HTTPRequest) async -> HTTPResponse {
            guard case .stream(let stream) = request.body else { return .text(.ok, "\(request.bytes.count)") }
            var count = 0
            do {
                for try await chunk in stream { count += chunk.count }
                return .text(.ok, "\(count)")
            } catch {
                return HTTPResponse(.badRequest)
            }
        }
    }
}
