import Glibc
import Synchronization
import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct ConcurrencyTests {
        @Test("two hundred slow handlers run at a time on four threads")
        func manySlowHandlers() async throws {
            let running = Atomic<Int>(0)
            let gate = Gate()
            try await withServer(
                { $0.threads = 4 },
                handler: { _ in
                    if running.wrappingAdd(1, ordering: .relaxed).newValue == 200 { gate.open() }
                    await gate.wait()
                    return .text(.ok, "done")
                }
            ) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let clients = try (0..<200).map { _ in try RawClient(port) }
                    for client in clients { try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
                    return try clients.map { try $0.receive().status }
                }
                #expect(statuses.allSatisfy { $0 == 200 })
            }
        }

        @Test("a client that goes away cancels its handler")
        func disconnect() async throws {
            let (started, never, cancelled) = (Gate(), Gate(), Gate())
            try await withServer(handler: { _ in
                started.open()
                await never.wait()
                if Task.isCancelled { cancelled.open() }
                return HTTPResponse(.ok)
            }) { server in
                let port = server.boundPort
                let client = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return Held(client)
                }
                await started.wait()
                client.drop()
                #expect(await eventually { cancelled.isOpen })
                #expect(await eventually { server.counters.connectionsOpen == 0 })
                #expect(server.counters.disconnects == 1)
            }
        }

        @Test("a handler that takes too long is cancelled and answered with 503")
        func deadline() async throws {
            let (never, cancelled) = (Gate(), Gate())
            try await withServer(
                { $0.handlerTimeLimit = .milliseconds(300) },
                handler: { request in
                    if request.target.segments == ["fast"] { return HTTPResponse(.ok) }
                    await never.wait()
                    if Task.isCancelled { cancelled.open() }
                    return HTTPResponse(.ok)
                }
            ) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let client = try RawClient(port)
                    return try ["slow", "fast"].map { path in
                        try client.send("GET /\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                        return try client.receive().status
                    }
                }
                #expect(statuses == [503, 200])
                #expect(await eventually { cancelled.isOpen })
            }
        }

        @Test("a handler that ignores its cancellation is answered for all the same")
        func stubborn() async throws {
            let gate = Gate()
            try await withServer(
                { $0.handlerTimeLimit = .milliseconds(200) },
                handler: { _ in
                    while !gate.isOpen { await Task.yield() }
                    return HTTPResponse(.ok)
                }
            ) { server in
                let port = server.boundPort
                let status = try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return try client.receive().status
                }
                gate.open()
                #expect(status == 503)
            }
        }

        @Test("a reader that takes its time stops the client")
        func backPressure() async throws {
            let gate = Gate()
            try await withServer(
                policy: { _ in .stream(limit: 100 << 20) },
                handler: { request in
                    await gate.wait()
                    return await LimitTests.count(request)
                }
            ) { server in
                let port = server.boundPort
                let client = try await offPool { Held(try RawClient(port)) }
                async let text = offPool {
                    try client.use { client in
                        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(32 << 20)\r\n\r\n")
                        for _ in 0..<32 { try client.send([UInt8](repeating: 7, count: 1 << 20)) }
                        return try client.receive().text
                    }
                }
                #expect(await eventually { server.counters.bytesReceived >= ExchangeState.highWater })
                try await Task.sleep(for: .milliseconds(100))
                #expect(server.counters.bytesReceived < ExchangeState.highWater + 64 * 1024)
                gate.open()
                #expect(try await text == "\(32 << 20)")
            }
        }

        @Test("an answer before the end of a streamed body is sent after it")
        func earlyAnswer() async throws {
            try await withServer(policy: { _ in .stream(limit: 1 << 20) }, handler: { _ in HTTPResponse(.conflict) }) {
                server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let client = try RawClient(port)
                    return try (0..<2).map { _ in
                        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
                        try client.send([UInt8](repeating: 1, count: 300_000))
                        return try client.receive().status
                    }
                }
                #expect(statuses == [409, 409])
            }
        }

        @Test("a client that breaks off an upload ends the stream with an error")
        func brokenUpload() async throws {
            let failure = Mutex<HTTPBodyError?>(nil)
            try await withServer(
                policy: { _ in .stream(limit: 1 << 20) },
                handler: { request in
                    guard case .stream(let stream) = request.body else { return HTTPResponse(.ok) }
                    do { while try await stream.next() != nil {} } catch {
                        failure.withLock { $0 = error as? HTTPBodyError }
                    }
                    return HTTPResponse(.ok)
                }
            ) { server in
                let port = server.boundPort
                try await offPool {
                    try RawClient(port).send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\nsome")
                }
                #expect(await eventually { failure.withLock { $0 } == .interrupted })
            }
        }
    }
}

/// A client that is handed from one task to the next.
final class Held: Sendable {
    private let client: Mutex<RawClient?>

    init(_ client: sending RawClient) { self.client = Mutex(client) }

    func drop() { client.withLock { $0 = nil } }

    func use<Value: Sendable>(_ body: (RawClient) throws -> Value) throws -> Value {
        try client.withLock { client in
            guard let client else { throw RawClient.Trouble(description: "dropped") }
            return try body(client)
        }
    }
}
