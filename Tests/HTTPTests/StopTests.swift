import Glibc
import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct StopTests {
        @Test("a request in flight is answered with Connection: close, and new connections are refused")
        func graceful() async throws {
            let (started, gate) = (Gate(), Gate())
            let server = try HTTPServer(configuration: HTTPServerConfiguration()) { request in
                guard request.target.segments == ["slow"] else { return .text(.ok, "quick") }
                started.open()
                await gate.wait()
                return .text(.ok, "finished")
            }
            try server.start()
            let port = server.boundPort
            let kept = try await offPool { Held(try RawClient(port)) }
            async let answer = offPool {
                let client = try RawClient(port)
                try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try client.receive()
                return (response.text, response["Connection"], try client.isClosed())
            }
            await started.wait()
            async let stopped: Void = server.stop()
            #expect(
                try await offPool { () in
                    for _ in 0..<500 {
                        guard (try? RawClient(port)) != nil else { return true }
                        usleep(10_000)
                    }
                    return false
                }
            )
            let late = try await offPool {
                try kept.use { client in
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    let response = try client.receive()
                    return [response.text, response["Connection"] ?? "", try client.isClosed() ? "closed" : "open"]
                }
            }
            #expect(late == ["quick", "close", "closed"])
            gate.open()
            let (text, connection, isClosed) = try await answer
            #expect(text == "finished")
            #expect(connection == "close")
            #expect(isClosed)
            await stopped
            #expect(server.counters.connectionsOpen == 0)
            #expect(server.boundPort == 0)
        }

        @Test("what still runs at the end of the drain time is cancelled and cut")
        func deadline() async throws {
            let (started, never, cancelled) = (Gate(), Gate(), Gate())
            var configuration = HTTPServerConfiguration()
            configuration.drainTimeLimit = .milliseconds(200)
            let server = try HTTPServer(configuration: configuration) { _ in
                started.open()
                await never.wait()
                cancelled.open()
                return HTTPResponse(.ok)
            }
            try server.start()
            let port = server.boundPort
            async let isClosed = offPool {
                let client = try RawClient(port)
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                return try client.isClosed()
            }
            await started.wait()
            let clock = ContinuousClock()
            let time = await clock.measure { await server.stop() }
            #expect(time < .seconds(5))
            #expect(try await isClosed)
            #expect(await eventually { cancelled.isOpen })
        }

        @Test("a server that was never started stops, one that was stopped does not start again")
        func order() async throws {
            let server = try HTTPServer(configuration: HTTPServerConfiguration()) { _ in HTTPResponse(.ok) }
            await server.stop()
            #expect(throws: HTTPServerError.alreadyStarted) { try server.start() }
        }

        @Test("stopping twice at a time is fine, with idle connections open")
        func twice() async throws {
            let server = try HTTPServer(configuration: HTTPServerConfiguration()) { _ in HTTPResponse(.ok) }
            try server.start()
            let port = server.boundPort
            let client = try await offPool {
                let client = try RawClient(port)
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try client.receive()
                return Held(client)
            }
            async let first: Void = server.stop()
            async let second: Void = server.stop()
            _ = await (first, second)
            #expect(try await offPool { try client.use { try $0.isClosed() } })
        }

        @Test("an address that is taken or none at all is an error")
        func addresses() async throws {
            try await withServer { server in
                var configuration = HTTPServerConfiguration()
                configuration.port = server.boundPort
                let second = try HTTPServer(configuration: configuration) { _ in HTTPResponse(.ok) }
                #expect(throws: HTTPServerError.self) { try second.start() }
                configuration.host = "not an address"
                let third = try HTTPServer(configuration: configuration) { _ in HTTPResponse(.ok) }
                #expect(throws: HTTPServerError.self) { try third.start() }
            }
            var configuration = HTTPServerConfiguration()
            configuration.threads = 0
            #expect(throws: HTTPServerError.self) {
                try HTTPServer(configuration: configuration) { _ in HTTPResponse(.ok) }
            }
        }

        @Test("many stops under load neither crash nor hang", arguments: 0..<10)
        func underLoad(round: Int) async throws {
            let server = try HTTPServer(configuration: HTTPServerConfiguration()) { _ in
                await Task.yield()
                return .text(.ok, "x")
            }
            try server.start()
            let port = server.boundPort
            async let load: Void = offPool {
                let clients = try (0..<8).map { _ in try RawClient(port, seconds: 5) }
                while true {
                    for client in clients {
                        guard (try? client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) != nil else { return }
                    }
                    for client in clients { guard (try? client.receive()) != nil else { return } }
                }
            }
            #expect(await eventually { server.counters.responses > 50 * (round + 1) })
            await server.stop()
            try await load
            #expect(server.counters.requestsOpen == 0)
        }
    }
}
