import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DocumentedScenarioTests {
        private static func examples(_ page: String) throws -> [String] {
            let root = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let text = try String(contentsOf: root.appendingPathComponent("docs/" + page), encoding: .utf8)
            return text.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        }

        @Test("the transcript of docs/scenarios.md leads from the registration to the row that says read")
        func transcript() async throws {
            let transcript = try Self.examples("scenarios.md")
            #expect(transcript.count >= 8)
            // How a back end makes its key and signs.
            let key = try Self.examples("http-api.md").prefix(2)
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let settings = ["DISPATCHER_PUBLIC_URL": "http://127.0.0.1:\(api.port)"]
                    try await stage.withWorkers(1, settings) { () async throws in
                        let folder = NSTemporaryDirectory() + "dispatcher-scenario-\(UInt32.random(in: 0 ... .max))"
                        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                        defer { try? FileManager.default.removeItem(atPath: folder) }
                        let head = """
                            set -euo pipefail
                            cd '\(folder)'
                            HUB=http://127.0.0.1:\(api.port)
                            dispatcher() { '\(Program.path)' "$@"; }

                            """
                        let script = head + key.joined() + transcript.joined()
                        let run = try await Shell.run(script, environment: stage.environment())
                        #expect(run.status == 0, "\(run.output)")
                        #expect(run.output.contains("alice-phone accepted t t richPushMore t"), "\(run.output)")
                    }
                }
            }
        }
    }
}
