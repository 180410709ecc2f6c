import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DocumentedAPITests {
        /// The examples of the page, in their order.
        private func examples() throws -> [String] {
            let root = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let text = try String(contentsOf: root.appendingPathComponent("docs/http-api.md"), encoding: .utf8)
            return text.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        }

        @Test("every example of docs/http-api.md runs, in order, in one shell")
        func examplesRun() async throws {
            try await Stage.with { stage in
                let examples = try examples()
                #expect(examples.count >= 8)
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.withWorkers { () async throws in
                        let folder = NSTemporaryDirectory() + "dispatcher-docs-\(UInt32.random(in: 0 ... .max))"
                        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                        defer { try? FileManager.default.removeItem(atPath: folder) }
                        let head = """
                            set -euo pipefail
                            cd '\(folder)'
                            HUB=http://127.0.0.1:\(api.port)
                            dispatcher() { '\(Program.path)' "$@"; }

                            """
                        let run = try await Shell.run(head + examples.joined(), environment: stage.environment())
                        #expect(run.status == 0, "\(run.output)")
                        #expect(run.output.contains(#""tags":["sports","news"]"#) && run.output.contains("cancelled"))
                    }
                }
            }
        }
    }
}
