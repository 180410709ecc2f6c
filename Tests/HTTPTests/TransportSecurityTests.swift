import Glibc
import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct TransportSecurityTests {
        /// Runs a shell command and returns what it wrote to standard output.
        static func shell(_ command: String) async throws -> String {
            try await offPool {
                guard let stream = popen(command, "r") else {
                    throw RawClient.Trouble(description: "popen: errno \(errno)")
                }
                defer { pclose(stream) }
                var output: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4096)
                while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { output += chunk[..<count] }
                return String(decoding: output, as: UTF8.self)
            }
        }

        static func makePair() async throws -> HTTPTransportSecurity {
            let pem = try await shell(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
                    + "-keyout - -out - 2>/dev/null"
            )
            let mark = try #require(pem.range(of: "-----BEGIN CERTIFICATE-----"))
            return HTTPTransportSecurity(
                certificate: Array(pem[mark.lowerBound...].utf8),
                privateKey: Array(pem[..<mark.lowerBound].utf8)
            )
        }

        static func request(_ port: UInt16, _ version: String) async throws -> String {
            // The cipher level lets the client offer old versions at all.
            try await shell(
                "printf 'GET /a HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' | timeout 10 openssl s_client -quiet "
                    + "-connect 127.0.0.1:\(port) \(version) -cipher DEFAULT@SECLEVEL=0 2>/dev/null"
            )
        }

        @Test("TLS 1.2 and 1.3 are spoken, 1.1 is not")
        func versions() async throws {
            let pair = try await Self.makePair()
            try await withServer({ $0.transportSecurity = pair }) { server in
                for version in ["-tls1_2", "-tls1_3"] {
                    let answer = try await Self.request(server.boundPort, version)
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(version): \(answer)")
                    #expect(answer.hasSuffix("hello"))
                }
                #expect(try await Self.request(server.boundPort, "-tls1_1").isEmpty)
            }
            #expect(!String(describing: pair).contains("BEGIN"))
        }

        @Test("a server with a key that is none does not start")
        func broken() async throws {
            var configuration = HTTPServerConfiguration()
            configuration.transportSecurity = HTTPTransportSecurity(certificate: Array("x".utf8), privateKey: [])
            let server = try HTTPServer(configuration: configuration) { _ in HTTPResponse(.ok) }
            #expect(throws: HTTPServerError.library) { try server.start() }
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}
