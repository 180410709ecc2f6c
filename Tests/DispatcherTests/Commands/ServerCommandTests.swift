import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// The commands that need the servers.
    @Suite(.timeLimit(.minutes(4))) struct ServerCommandTests {
        private func temporary(_ lines: [String]) throws -> String {
            let path = NSTemporaryDirectory() + "dispatcher-lines-\(UInt32.random(in: 0 ... .max)).jsonl"
            try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        private static let good = #"{"to":{"tags":"a"},"content":{"title":"x"}}"#

        @Test("enqueue publishes every line where its priority belongs, and prints the ids")
        func enqueue() async throws {
            try await Stage.with { stage in
                let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
                let urgent = #"{"id":"\#(id)","to":{"tags":"a"},"content":{"title":"x"},"options":{"priority":"high"}}"#
                let broadcast = #"{"to":{"broadcast":true},"content":{"title":"x"}}"#
                let input = [Self.good, "", urgent, broadcast].joined(separator: "\n")
                let run = try await Program.run(["enqueue", "-"], environment: stage.environment(), input: input)
                #expect(run.exit == .status(0), "\(run.errors)")
                let ids = run.output.split(separator: "\n").map(String.init)
                #expect(ids.count == 3 && ids[1] == id && Set(ids).count == 3)
                let topology = try Servers.topology()
                for lane in Lane.allCases {
                    let count = try await topology.messageCount(lane.jobsQueue)
                    #expect(count == 1, "\(lane.name)")
                }
            }
        }

        @Test("a wrong line is named by its number and place, and nothing after it is published")
        func wrongLine() async throws {
            try await Stage.with { stage in
                let path = try temporary([Self.good, "", #"{"to":{"tags":"a &&"},"content":{"title":"x"}}"#, Self.good])
                defer { try? FileManager.default.removeItem(atPath: path) }
                let run = try await Program.run(["enqueue", path], environment: stage.environment())
                #expect(run.exit == .status(1))
                #expect(run.errors.contains("line 3: $.to.tags:"))
                let published = try await Servers.topology().messageCount(Lane.normal.jobsQueue)
                #expect(published == run.output.split(separator: "\n").count && published <= 1)
            }
        }

        @Test("a job from arguments travels to its device, and status shows it")
        func jobFromArguments() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice")])
                let environment = stage.environment()
                let run = try await Program.run(
                    ["enqueue", "--to", "user:alice", "--title", "Say \"hé\"", "--priority", "high", "--ttl", "60"],
                    environment: environment
                )
                #expect(run.exit == .status(0), "\(run.errors)")
                let id = run.output.trimmingCharacters(in: .newlines)
                try await stage.withWorkers {
                    let status = try await Program.run(
                        ["status", id, "--json", "--wait", "20"],
                        environment: environment
                    )
                    #expect(status.exit == .status(0), "\(status.errors)")
                    let shown = try JSONDecoder().decode(Shown.self, from: Data(status.output.utf8))
                    #expect(
                        shown == Shown(id: id, state: "completed", audience: 1, accepted: 1, target: "users: alice")
                    )
                    let text = try await Program.run(["status", id], environment: environment)
                    #expect(text.output.contains("accepted    1"))
                }
                let again = try await Program.run(["cancel", UUID().uuidString], environment: environment)
                #expect(again.exit == .status(1) && again.errors.contains("there is no notification"))
                let unknown = try await Program.run(["status", UUID().uuidString, "--json"], environment: environment)
                #expect(unknown.exit == .status(1) && unknown.output.isEmpty)
            }
        }

        private struct Shown: Decodable, Equatable {
            let id: String
            let state: String
            let audience: Int
            let accepted: Int
            let target: String
        }

        @Test("import registers the good lines and writes the others with number, path and reason")
        func importing() async throws {
            try await withDatabase { database in
                let lines = [
                    Device("one", tags: ["a"]).json, "{", Device("two", platform: "pager").json, "",
                    Device("one", user: "late", tags: ["b"]).json,
                    #"{"installationId":"x","hub":"nowhere","platform":"apns","pushChannel":"y"}"#,
                ]
                let path = try temporary(lines)
                defer { for name in [path, path + ".rejected"] { try? FileManager.default.removeItem(atPath: name) } }
                let environment = ["DISPATCHER_DATABASE_URL": database.url, "DISPATCHER_LOG_LEVEL": "error"]
                let run = try await Program.run(["installations", "import", path], environment: environment)
                #expect(run.exit == .status(1))
                #expect(run.output == #"{"imported":2,"rejected":3}"# + "\n")
                let rejected = try String(contentsOfFile: path + ".rejected", encoding: .utf8).split(separator: "\n")
                let heads = [
                    #"{"line":2,"path":"$","#, #"{"line":3,"path":"$.platform","#, #"{"line":6,"path":"$.hub","#,
                ]
                #expect(rejected.count == 3)
                for (line, head) in zip(rejected, heads) { #expect(line.hasPrefix(head), "\(line)") }
                let rows = try await database.texts(
                    "SELECT installation_id, user_id, tags::text FROM dashboard.installations"
                )
                #expect(rows == [["one", "late", "{b}"]])
            }
        }

        @Test("the doctor is content with a migrated stack, and names what an empty database lacks")
        func doctor() async throws {
            try await Stage.with { stage in
                let healthy = try await Program.run(["doctor"], environment: stage.environment())
                #expect(healthy.exit == .status(0), "\(healthy.output)")
                #expect(!healthy.output.contains("WRONG") && healthy.output.contains("ok    schema"))
            }
            try await withDatabase(migrated: false) { database in
                let environment = [
                    "DISPATCHER_DATABASE_URL": database.url,
                    "DISPATCHER_AMQP_URL": "amqp://guest:guest@127.0.0.1:1/%2f",
                ]
                let sick = try await Program.run(["doctor"], environment: environment)
                #expect(sick.exit == .status(1))
                #expect(sick.output.contains("WRONG broker") && sick.output.contains("WRONG schema"))
                #expect(sick.output.contains("dispatcher migrate"))
                let worker = try await Program.run(["worker"], environment: environment)
                #expect(worker.exit == .status(1) && worker.errors.contains("run 'dispatcher migrate'"))
            }
        }

        @Test("an id that several hubs have needs --hub, and with it only that hub's notification is meant")
        func severalHubs() async throws {
            try await Stage.with { stage in
                let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.hub (name) VALUES ('shop'), ('news');
                    INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
                    SELECT id, now() + interval '1 day', '\(id)', id, 5, 1, 'broadcast', '{}'
                    FROM dispatcher.hub WHERE name <> 'news'
                    """
                )
                for command in ["status", "cancel"] {
                    let run = try await Program.run([command, id], environment: stage.environment())
                    #expect(run.exit == .status(64) && run.errors.contains("default, shop"), "\(run.errors)")
                    let none = try await Program.run([command, id, "--hub", "news"], environment: stage.environment())
                    #expect(none.exit == .status(1) && none.errors.contains("'news'"), "\(none.errors)")
                }
                let cancelled = try await Program.run(
                    ["cancel", id, "--hub", "shop"],
                    environment: stage.environment()
                )
                #expect(cancelled.exit == .status(0), "\(cancelled.errors)")
                for (hub, state) in [("shop", "cancelled"), ("default", "sending")] {
                    let run = try await Program.run(
                        ["status", id, "--hub", hub, "--json"],
                        environment: stage.environment()
                    )
                    #expect(run.output.contains(#""hub":"\#(hub)","state":"\#(state)""#), "\(run.output)")
                }
                let again = try await Program.run(["cancel", id, "--hub", "shop"], environment: stage.environment())
                #expect(again.exit == .status(1), "\(again.errors)")
            }
        }
    }
}
