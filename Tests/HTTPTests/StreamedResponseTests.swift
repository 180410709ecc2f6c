import Glibc
import Synchronization
import Testing

@testable import HTTP

extension ServerTests {
    /// Responses that are made while they are sent.
    @Suite struct StreamedResponseTests {
        /// A response of so many pieces, each of the number of its place.
        private static func counting(_ count: Int, size: Int = 10_000, made: Counter = Counter()) -> HTTPResponse {
            let next = Counter()
            return HTTPResponse(
                .ok,
                body: .stream(
                    HTTPResponseStream {
                        let place = next.add()
                        guard place <= count else { return nil }
                        made.add()
                        if place % 3 == 0 { await Task.yield() }
                        return [UInt8](repeating: UInt8(truncatingIfNeeded: place), count: size)
                    }
                )
            )
        }

        final class Counter: Sendable {
            private let value = Atomic<Int>(0)
            @discardableResult func add() -> Int { value.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
            var count: Int { value.load(ordering: .sequentiallyConsistent) }
        }

        /// What stands in the chunks of a body.
        private static func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
            var result: [UInt8] = []
            var rest = bytes[...]
            while let end = rest.firstIndex(of: 13) {
                let text = String(decoding: rest[..<end], as: UTF8.self)
                let size = try #require(Int(text, radix: 16))
                rest = rest[(end + 2)...]
                if size == 0 { break }
                result += rest.prefix(size)
                rest = rest.dropFirst(size + 2)
            }
            return result
        }

        private static func whole(_ port: UInt16, _ request: String) async throws -> [UInt8] {
            try await offPool {
                let client = try RawClient(port)
                try client.send(request)
                return try client.rest()
            }
        }

        @Test("all pieces arrive in order, in chunks, and an empty one is nothing")
        func order() async throws {
            try await withServer(handler: { _ in Self.counting(40) }) { server in
                let answer = try await Self.whole(
                    server.boundPort,
                    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                )
                let text = String(decoding: answer.prefix(400), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 200") && text.lowercased().contains("transfer-encoding: chunked"))
                let start = try #require(answer.indices.first { answer[$0...].starts(with: "\r\n\r\n".utf8) })
                let body = try Self.unchunked(Array(answer[(start + 4)...]))
                let expected = (1...40).flatMap { [UInt8](repeating: UInt8($0), count: 10_000) }
                #expect(body == expected)
            }
        }

        @Test("a client of HTTP/1.0 gets it plain, up to the close")
        func old() async throws {
            try await withServer(handler: { _ in Self.counting(3, size: 5) }) { server in
                let answer = try await Self.whole(server.boundPort, "GET / HTTP/1.0\r\nHost: x\r\n\r\n")
                #expect(answer.suffix(15) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
            }
        }

        @Test("a client that does not read stops the maker")
        func pressure() async throws {
            let made = Counter()
            try await withServer(handler: { _ in Self.counting(100_000, made: made) }) { server in
                let port = server.boundPort
                try await offPool {
                    let client = try RawClient(port)
                    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    var before = -1
                    // Until nothing more is made although time passes.
                    while made.count != before || before == 0 {
                        before = made.count
                        usleep(200_000)
                    }
                    // Sockets buffer some megabytes, no more.
                    #expect(before < 2_000, "\(before) pieces of 100,000")
                }
            }
        }

        @Test("a maker that fails cuts the connection, so that nobody takes the part for the whole")
        func failure() async throws {
            struct Broken: Error {}
            let next = Counter()
            let stream = HTTPResponseStream {
                guard next.add() < 3 else { throw Broken() }
                return Array("piece".utf8)
            }
            try await withServer(handler: { _ in HTTPResponse(.ok, body: .stream(stream)) }) { server in
                let answer = try await Self.whole(server.boundPort, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(!answer.reversed().starts(with: "0\r\n\r\n".utf8.reversed()))
                #expect(String(decoding: answer, as: UTF8.self).contains("piece"))
            }
        }

        @Test("a stop in the middle ends the maker and the connection")
        func stop() async throws {
            let isCancelled = Gate()
            let stream = HTTPResponseStream {
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
                isCancelled.open()
                return nil
            }
            try await withServer(
                { $0.drainTimeLimit = .milliseconds(100) },
                handler: { _ in
                    HTTPResponse(.ok, body: .stream(stream))
                }
            ) { server in
                let port = server.boundPort
                async let answer = Self.whole(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                while server.counters.responses == 0 { await Task.yield() }
                await server.stop()
                _ = try await answer
                await isCancelled.wait()
            }
        }

        @Test("a client that goes away ends it, and the server serves others")
        func leaving() async throws {
            try await withServer(handler: { request in
                request.head.target.rawPath.count > 1 ? .text(.ok, "other") : Self.counting(10_000)
            }) { server in
                let port = server.boundPort
                for _ in 0..<20 {
                    try await offPool {
                        let client = try RawClient(port)
                        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    }
                }
                let answer = try await Self.whole(port, "GET /other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(String(decoding: answer, as: UTF8.self).hasSuffix("other"))
                while server.counters.requestsOpen > 0 { await Task.yield() }
            }
        }

        @Test("HEAD gets the header alone")
        func head() async throws {
            try await withServer(handler: { _ in Self.counting(3) }) { server in
                let answer = try await Self.whole(
                    server.boundPort,
                    "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                )
                #expect(answer.count < 400)
            }
        }
    }
}
