import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct KeyCommandTests {
        private func run(_ arguments: [String], _ stage: Stage) async throws -> (
            status: Program.Exit?, output: [String: String], errors: String
        ) {
            let run = try await Program.run(["keys"] + arguments, environment: stage.environment())
            let object = try? JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: String]
            return (run.exit, object ?? [:], run.errors)
        }

        @Test("keys are made, listed without secrets, rotated and removed, and a served process obeys at once")
        func course() async throws {
            try await Stage.with { stage in
                let made = try await run(["create", "app", "--rights", "listen,send", "--json"], stage)
                #expect(made.status == .status(0), "\(made.errors)")
                let first = try #require(made.output["primary"])
                #expect(first.utf8.count == 44 && made.output["secondary"] != first)
                #expect(
                    made.output["connection"]
                        == "Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName=app;SharedAccessKey=\(first)"
                )
                let list = try await Program.run(["keys", "list"], environment: stage.environment())
                #expect(list.output.hasPrefix("app\tdefault\tlisten,send\t") && !list.output.contains(first))
                try await stage.withAPI { (api: APIClient) async throws in
                    func status(_ secret: String?) async throws -> Int {
                        try await api.as(.key("app", secret ?? "")).send("GET", "/api/installations/x").status
                    }
                    #expect(try await status(first) == 404)
                    let second = try await run(["rotate", "app", "--json"], stage).output["primary"]
                    #expect(
                        try await [status(first), status(second), status(made.output["secondary"])] == [404, 404, 401]
                    )
                    let third = try await run(["rotate", "app", "--json"], stage).output["primary"]
                    #expect(try await [status(first), status(second), status(third)] == [401, 404, 404])
                    #expect(try await run(["delete", "app"], stage).status == .status(0))
                    #expect(try await status(third) == 401)
                }
            }
        }

        @Test("a key that cannot be is refused")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.addKey("taken", rights: .send)
                for (arguments, status) in [
                    (["create", "taken", "--rights", "send"], 1),
                    (["create", "x", "--rights", "send", "--hub", "none"], 1),
                    (["rotate", "none"], 1), (["delete", "none"], 1), (["create", "x"], 64),
                    (["create", "x", "--rights", "all"], 64), (["create", "a b", "--rights", "send"], 64),
                ] as [([String], Int32)] {
                    let run = try await run(arguments, stage)
                    #expect(run.status == .status(status), "\(arguments): \(run.errors)")
                }
            }
        }

        @Test("the served process waits for its requests and ends with 0 at SIGTERM")
        func process() async throws {
            try await Stage.with { stage in
                let environment = stage.environment([
                    "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0", "DISPATCHER_LOG_LEVEL": "info",
                ])
                let program = try Program(["serve"], environment: environment)
                let isUp = await eventually { program.errors.contains("event=serve.started port=") }
                try #require(isUp, "\(program.errors)")
                let port = try #require(
                    program.errors.firstMatch(of: /serve.started port=(\d+)/).flatMap { UInt16($0.1) }
                )
                let answer = try await APIClient(port: port).send("GET", "/api/installations/secret-id?user=x")
                #expect(answer.status == 401)
                program.signal(SIGTERM)
                #expect(await program.exit(within: .seconds(20)) == .status(0))
                let line = program.errors.split(separator: "\n").first { $0.contains("event=http.request") } ?? ""
                #expect(
                    line.contains(
                        "request=\(answer["X-Request-Id"] ?? "?") method=GET route=/api/installations/{id} status=401"
                    )
                )
                #expect(!program.errors.contains("secret-id"))
            }
        }
    }
}
