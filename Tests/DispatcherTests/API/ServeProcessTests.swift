import Foundation
import Synchronization
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct ServeProcessTests {
        /// The ids whose registration was answered.
        private final class Acknowledged: Sendable {
            let ids = Mutex<Set<String>>([])
        }

        /// Starts `dispatcher serve` and answers the port it has taken.
        private func serve(_ stage: Stage, _ changes: [String: String] = [:]) async throws -> (Program, UInt16) {
            let own = ["DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0", "DISPATCHER_LOG_LEVEL": "info"]
            let program = try Program(["serve"], environment: stage.environment(own.merging(changes) { $1 }))
            let isUp = await eventually { program.errors.contains("event=serve.started port=") }
            try #require(isUp, "\(program.errors)")
            let found = program.errors.firstMatch(of: /serve.started port=(\d+)/).flatMap { UInt16($0.1) }
            return (program, try #require(found))
        }

        @Test("at the stop under load every request is answered and done, or neither")
        func drain() async throws {
            try await Stage.with { stage in
                try await stage.addKey("all", rights: .manage)
                let (program, port) = try await serve(stage)
                let token = try APIClient.token("all", Stage.secret, "http://127.0.0.1:\(port)/")
                let acknowledged = Acknowledged()
                await withTaskGroup { group in
                    for client in 0..<16 {
                        group.addTask {
                            await withCheckedContinuation { continuation in
                                Thread.detachNewThread {
                                    Self.registerUntilRefused(client, port, token, acknowledged)
                                    continuation.resume()
                                }
                            }
                        }
                    }
                    group.addTask {
                        _ = await eventually { acknowledged.ids.withLock { $0.count > 200 } }
                        program.signal(SIGTERM)
                    }
                }
                #expect(await program.exit(within: .seconds(20)) == .status(0), "\(program.errors)")
                let stored = try await stage.database.texts("SELECT installation_id FROM dispatcher.installation")
                let answered = acknowledged.ids.withLock { $0 }
                #expect(answered.count > 200)
                #expect(Set(stored.map { $0[0] }) == answered)
            }
        }

        /// One request after the other, on one connection for as long as it lasts.
        private static func registerUntilRefused(
            _ client: Int,
            _ port: UInt16,
            _ token: String,
            _ acknowledged: Acknowledged
        ) {
            var connection = try? OpenConnection(port: port)
            var refusals = 0
            for number in 0... {
                let id = "phone-\(client)-\(number)"
                let body = Stage.phone("ok-\(id)")
                let request =
                    "PUT /api/installations/\(id) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: \(token)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                if let status = try? connection?.exchange(request) {
                    #expect(status == 201)
                    acknowledged.ids.withLock { _ = $0.insert(id) }
                    continue
                }
                // The last answer closes its connection; a new one is refused once the server has begun to stop.
                refusals += 1
                connection = try? OpenConnection(port: port)
                if connection == nil || refusals > 3 { return }
            }
        }

        @Test("with a certificate it speaks TLS 1.2 and 1.3 and nothing else")
        func transportSecurity() async throws {
            try await Stage.with { stage in
                let folder = NSTemporaryDirectory() + "dispatcher-tls-\(UInt32.random(in: 0 ... .max))"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let made = try await Shell.run(
                    """
                    cd '\(folder)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                        -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem
                    """,
                    environment: [:]
                )
                try #require(made.status == 0, "\(made.output)")
                let files = [
                    "DISPATCHER_HTTP_CERTIFICATE": folder + "/cert.pem", "DISPATCHER_HTTP_KEY": folder + "/key.pem",
                ]
                let (program, port) = try await serve(stage, files)
                let run = try await Shell.run(
                    """
                    ask() { curl -sS -m 10 -o /dev/null -w '%{http_code} ' "$@" 2>/dev/null || echo "refused "; }
                    ask --cacert '\(folder)/cert.pem' --tlsv1.3 https://127.0.0.1:\(port)/ready
                    ask --cacert '\(folder)/cert.pem' --tlsv1.2 --tls-max 1.2 https://127.0.0.1:\(port)/health
                    ask --cacert '\(folder)/cert.pem' --tlsv1.0 --tls-max 1.1 --ciphers DEFAULT@SECLEVEL=0 \
                        https://127.0.0.1:\(port)/health
                    ask http://127.0.0.1:\(port)/health
                    ask https://127.0.0.1:\(port)/health
                    """,
                    environment: [:]
                )
                let words = run.output.split { $0 == " " || $0 == "\n" }
                #expect(words == ["200", "200", "000", "refused", "000", "refused", "000", "refused"], "\(run.output)")
                program.signal(SIGTERM)
                #expect(await program.exit(within: .seconds(20)) == .status(0))
            }
        }

        @Test("a certificate without its key, or with another's, keeps it from starting")
        func wrongCertificate() async throws {
            try await Stage.with { stage in
                let environment = stage.environment([
                    "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0", "DISPATCHER_HTTP_CERTIFICATE": "/etc/hostname",
                ])
                let alone = try await Program.run(["serve"], environment: environment)
                #expect(alone.exit == .status(1) && alone.errors.contains("DISPATCHER_HTTP_KEY"), "\(alone.errors)")
                let both = environment.merging(["DISPATCHER_HTTP_KEY": "/etc/hostname"]) { $1 }
                #expect(try await Program.run(["serve"], environment: both).exit == .status(1))
            }
        }

        @Test("the doctor says whether the database's user may be what serve is")
        func doctor() async throws {
            try await Stage.with { stage in
                let name = "registrar_\(UInt32.random(in: 0 ... .max))"
                try await stage.database.execute("CREATE ROLE \(name) LOGIN IN ROLE dispatcher_worker")
                let url = stage.database.url.replacing(#/\/\/[^@]*@/#) { _ in "//\(name)@" }
                let changes = ["DISPATCHER_DATABASE_URL": url, "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0"]
                let refused = try await Program.run(["doctor"], environment: stage.environment(changes))
                #expect(refused.output.contains("GRANT dispatcher_api TO the user"), "\(refused.output)")
                try await stage.database.execute("GRANT dispatcher_api TO \(name)")
                let good = try await Program.run(["doctor"], environment: stage.environment(changes))
                #expect(good.output.contains("a member of dispatcher_api"), "\(good.output)")
                #expect(good.output.contains("settings are good"))
                try await stage.database.execute("DROP ROLE \(name)")
            }
        }
    }
}
