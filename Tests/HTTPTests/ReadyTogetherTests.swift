import Dispatch
import Testing

@testable import HTTP

extension ServerTests {
    /// libmicrohttpd asks epoll for 128 events at a time; 0.9.75 goes on to wait for more when it gets just as many.
    @Suite struct ReadyTogetherTests {
        @Test("requests that fill the library's events to the last one are answered at once", arguments: [128, 256])
        func fullEvents(count: Int) async throws {
            let blockade = Blockade()
            defer { blockade.lift() }
            try await withServer(
                {
                    $0.threads = 1
                    $0.idleTimeout = .seconds(600)
                },
                handler: { request in
                    if request.target.segments == ["blocked"] { blockade.enter() }
                    return .text(.ok, "done")
                }
            ) { server in
                let port = server.boundPort
                let answers = try await offPool {
                    defer { blockade.lift() }
                    let clients = try (0..<count).map { _ in try RawClient(port, seconds: 30) }
                    // What epoll says of a new connection is over once it was answered.
                    for client in clients { _ = try Self.ask(client) }
                    let blocked = try RawClient(port, seconds: 30)
                    try blocked.send("GET /blocked HTTP/1.1\r\nHost: x\r\n\r\n")
                    blockade.waitUntilEntered()
                    for client in clients { try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
                    blockade.lift()
                    return try ([blocked] + clients).map { try $0.receive().text }
                }
                #expect(answers == Array(repeating: "done", count: count + 1))
            }
        }

        private static func ask(_ client: RawClient) throws -> String {
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return try client.receive().text
        }
    }
}

/// Holds up the library's thread, on which a handler begins.
private final class Blockade: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let lifted = DispatchSemaphore(value: 0)

    func enter() {
        entered.signal()
        lifted.wait()
    }

    func waitUntilEntered() { entered.wait() }

    func lift() { lifted.signal() }
}
