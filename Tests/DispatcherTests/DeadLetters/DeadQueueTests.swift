import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeadQueueTests {
        @Test("discarded letters leave the queue and keep their rows; the others keep their order")
        func discard() async throws {
            try await Stage.with { stage in
                let jobs = (0..<6).map { Stage.homeless($0 % 2 == 0 ? "even" : "odd") }
                for job in jobs { try await stage.refuse([job]) }
                let run = try await stage.deadLetters(["discard", "--all", "--hub", "odd"])
                #expect(run.exit == .status(0), "\(run.errors)")
                #expect(run.output == "discarded 3, skipped 0, failed 0, removed 3, collected 0, kept 3\n")
                try await stage.expectAgreement(3)
                #expect(try await stage.count("state = 'discarded' AND discarded_at IS NOT NULL") == 3)
                let left = try await DeadLetters.take(3)
                #expect(left.map(\.properties.messageID) == [jobs[0].id, jobs[2].id, jobs[4].id])
                #expect(left.allSatisfy { $0.header("reason") == "unknownHub" && $0.routingKey == "jobs.normal" })
            }
        }

        @Test("a thousand letters: half are replayed, the others stay, table and queue agree")
        func thousand() async throws {
            try await Stage.with { stage in
                let jobs = (0..<1_000).map { Stage.homeless($0 % 2 == 0 ? "later" : "never") }
                try await stage.refuse(jobs)
                try await stage.addHub()
                let before = try await order(stage, "hub = 'never'")
                let run = try await stage.deadLetters(["replay", "--all", "--hub", "later"])
                #expect(run.exit == .status(0), "\(run.errors)")
                #expect(run.output == "replayed 500, skipped 0, failed 0, removed 500, collected 0, kept 500\n")
                try await stage.expectAgreement(500)
                let doctor = try await Program.run(["doctor"], environment: stage.environment())
                #expect(doctor.output.contains("ok    dead letters"), "\(doctor.output)")
                try await stage.withWorkers {
                    let isDelivered = await eventually {
                        try await stage.database.count("SELECT count(*) FROM dispatcher.delivery") == 500
                    }
                    #expect(isDelivered)
                }
                let left = try await DeadLetters.take(500).compactMap(\.properties.messageID)
                #expect(left.count == 500 && Set(left) == Set(before))
            }
        }

        private func order(_ stage: Stage, _ condition: String) async throws -> [String] {
            try await stage.database.texts(
                "SELECT message_id FROM dashboard.dead_letters WHERE \(condition) ORDER BY id"
            ).map { $0[0] }
        }

        @Test("what the broker itself gave up gets one row, and comes back to its queue by a replay")
        func byBroker() async throws {
            try await Stage.with { stage in
                let job = Job(to: #"{"tags":"crowd"}"#)
                var message = AMQPMessage(exchange: "push.dlx", routingKey: "jobs.normal", body: job.body)
                message.properties.messageID = job.id
                message.properties.headers = Self.death
                let results = await stage.publisher.publish([message, message], deadline: .seconds(10))
                #expect(results == [.confirmed, .confirmed])
                let doctor = try await Program.run(["doctor"], environment: stage.environment())
                #expect(doctor.exit == .status(1) && doctor.output.contains("WRONG dead letters"), "\(doctor.output)")
                for round in 1...2 {
                    let run = try await stage.deadLetters(["collect"])
                    #expect(run.exit == .status(0), "\(run.errors)")
                    #expect(run.output.hasPrefix(round == 1 ? "kept 0, removed 0, collected 2" : "kept 1, removed 0"))
                    try await stage.expectAgreement(1)
                }
                #expect(
                    try await stage.count(
                        "reason = 'brokerDeadLetter' AND queue = 'push.jobs.normal' AND exchange = 'push.in'"
                    ) == 1
                )
                try await stage.registerCrowd(1)
                let run = try await stage.deadLetters(["replay", "--all"])
                #expect(run.exit == .status(0), "\(run.errors)")
                try await stage.withWorkers {
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 1, "accepted": 1])
                }
                try await stage.expectAgreement(0)
            }
        }

        /// As RabbitMQ writes it for a message over its delivery limit.
        static let death: [String: AMQPValue] = [
            "x-death": .array([
                .table([
                    "count": 1, "exchange": "push.in", "queue": "push.jobs.normal", "reason": "delivery_limit",
                    "routing-keys": .array(["jobs.normal"]), "time": .timestamp(1_796_000_000),
                ])
            ]),
            "x-delivery-count": 21, "x-first-death-exchange": "push.in", "x-first-death-queue": "push.jobs.normal",
            "x-first-death-reason": "delivery_limit",
        ]

        @Test("a message that was lost is put back, and one that is there twice is taken out")
        func repair() async throws {
            try await Stage.with { stage in
                let jobs = (0..<4).map { _ in Stage.homeless() }
                try await stage.refuse(jobs)
                try await Servers.topology().purge("push.dead")
                let restored = try await stage.deadLetters(["collect"])
                #expect(restored.output == "kept 0, removed 0, collected 0, restored 4, unrestorable 0\n")
                try await stage.expectAgreement(4)
                let taken = try await DeadLetters.take(4)
                let copies = taken.flatMap { dead in
                    let copy = AMQPMessage(
                        exchange: "push.dlx",
                        routingKey: dead.routingKey,
                        body: dead.body,
                        properties: dead.properties
                    )
                    return [copy, copy]
                }
                _ = await stage.publisher.publish(copies, deadline: .seconds(10))
                let cleaned = try await stage.deadLetters(["collect"])
                #expect(cleaned.output.hasPrefix("kept 4, removed 4,"), "\(cleaned.output) \(cleaned.errors)")
                try await stage.expectAgreement(4)
            }
        }
    }
}
