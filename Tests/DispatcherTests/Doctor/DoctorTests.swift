import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What the doctor calls wrong, each from the state that is wrong.
    @Suite(.timeLimit(.minutes(4))) struct DoctorTests {
        private static func run(_ stage: Stage, _ changes: [String: String] = [:]) async throws -> (
            exit: Program.Exit?, output: String
        ) {
            let run = try await Program.run(["doctor"], environment: stage.environment(changes))
            return (run.exit, run.output)
        }

        private static func line(_ name: String, _ output: String) -> String {
            output.split(separator: "\n").first { $0.dropFirst(6).hasPrefix(name + " ") }.map(String.init) ?? ""
        }

        /// A name that leads to this machine, and that nobody can know to.
        private static func elsewhere(_ url: String) -> String {
            url.replacingOccurrences(of: "127.0.0.1", with: "LOCALHOST")
        }

        @Test("servers on other machines need a verified transport, unless a setting vouches for the network")
        func transport() async throws {
            try await Stage.with { stage in
                let local = try await Self.run(stage)
                #expect(Self.line("broker transport", local.output).hasPrefix("ok "), "\(local.output)")
                #expect(Self.line("database transport", local.output).hasPrefix("ok "))
                let far = [
                    "DISPATCHER_AMQP_URL": Self.elsewhere(Servers.brokerURL ?? ""),
                    "DISPATCHER_DATABASE_URL": Self.elsewhere(stage.database.url) + "?sslmode=require",
                ]
                let refused = try await Self.run(stage, far)
                #expect(refused.exit == .status(1))
                #expect(Self.line("broker transport", refused.output).hasPrefix("WRONG"), "\(refused.output)")
                let named = far.merging(["DISPATCHER_DATABASE_URL": Self.elsewhere(stage.database.url)]) { $1 }
                let weak = try await Self.run(stage, named)
                #expect(Self.line("database transport", weak.output).contains("sslmode=prefer, not verified"))
                let vouched = ["DISPATCHER_UNVERIFIED_TRANSPORT": "broker,database"]
                let allowed = try await Self.run(stage, named.merging(vouched) { $1 })
                #expect(allowed.exit == .status(0), "\(allowed.output)")
                #expect(Self.line("broker transport", allowed.output).hasPrefix("ok "))
                #expect(Self.line("database transport", allowed.output).hasPrefix("ok "))
            }
        }

        @Test("a queue of another type is named")
        func otherType() async throws {
            let topology = AMQPTopology(endpoint: try AMQPEndpoint(url: Servers.brokerURL ?? ""))
            try await Stage.with { stage in
                try await topology.deleteQueue("push.receipts")
                try await topology.declareQueue("push.receipts", arguments: ["x-queue-type": "classic"])
                let run = try? await Self.run(stage)
                try await topology.deleteQueue("push.receipts")
                try await topology.declareQueue("push.receipts", arguments: ["x-queue-type": "quorum"])
                try await topology.bind(queue: "push.receipts", exchange: "push.in", routingKey: "receipts")
                let wrong = try #require(run).output.split(separator: "\n").filter { $0.hasPrefix("WRONG") }
                #expect(wrong.count == 1 && wrong.allSatisfy { $0.contains("push.receipts") })
                #expect(wrong.allSatisfy { $0.contains("x-queue-type") })
                #expect(run?.exit == .status(1))
            }
        }

        @Test("an outbox that nobody tells, and an erasure that does not end, are wrong")
        func backlog() async throws {
            try await Stage.with { stage in
                let well = try await Self.run(stage)
                #expect(Self.line("outbox", well.output).contains("0 waiting"), "\(well.output)")
                #expect(Self.line("erasures", well.output).contains("0 under way"))
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.outbox (notification_id, job_id, hub_id, lane, body, created_at)
                    SELECT 1, gen_random_uuid(), id, 1, '{}', now() - interval '2 minutes' FROM dispatcher.hub
                    """
                )
                let erase = try await Program.run(["users", "erase", "alice"], environment: stage.environment())
                #expect(erase.exit == .status(0), "\(erase.errors)")
                try await stage.database.execute(
                    "UPDATE dispatcher.erasure SET requested_at = now() - interval '2 hours'"
                )
                let ill = try await Self.run(stage)
                #expect(ill.exit == .status(1))
                #expect(Self.line("outbox", ill.output).hasPrefix("WRONG"), "\(ill.output)")
                #expect(Self.line("erasures", ill.output).contains("push.receipts"), "\(ill.output)")
            }
        }

        @Test("the metrics address is looked at: nobody there, a worker that is ready, somebody else")
        func metrics() async throws {
            try await Stage.with { stage in
                let free = ["DISPATCHER_METRICS_ADDRESS": "127.0.0.1:1"]
                let none = try await Self.run(stage, free)
                #expect(none.exit == .status(0), "\(none.output)")
                #expect(Self.line("health", none.output).contains("nobody answers"))
                #expect(try await Program.run(["health"], environment: free).exit == .status(1))
                let own = ["DISPATCHER_METRICS_ADDRESS": "127.0.0.1:0", "DISPATCHER_LOG_LEVEL": "info"]
                let worker = try Program(["worker"], environment: stage.environment(own))
                let client = try await MetricsClient(of: worker)
                let isReady = await eventually { try await client.isReady(200) }
                #expect(isReady)
                let there = ["DISPATCHER_METRICS_ADDRESS": "127.0.0.1:\(client.port)"]
                let found = try await Self.run(stage, there)
                #expect(Self.line("health", found.output).contains("ready"), "\(found.output)")
                #expect(found.exit == .status(0))
                let asked = try await Program.run(["health", "--ready"], environment: there)
                #expect(asked.exit == .status(0) && asked.output.contains(#""status":"ready""#), "\(asked.errors)")
                let open = try await Self.run(stage, ["DISPATCHER_METRICS_ADDRESS": "0.0.0.0:\(client.port)"])
                #expect(Self.line("metrics address", open.output).contains("nobody but your monitoring"))
                try await Program.stop([worker])
                let nonsense = try await Self.run(stage, ["DISPATCHER_METRICS_ADDRESS": "9464"])
                #expect(nonsense.exit == .status(1))
            }
        }
    }
}
