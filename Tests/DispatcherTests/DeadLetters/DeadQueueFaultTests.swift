import AMQP
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeadQueueFaultTests {
        @Test("a turn that is killed in the middle loses nothing, and the next one removes what is twice")
        func killed() async throws {
            try await Stage.with { stage in
                try await stage.refuse((0..<1_000).map { _ in Stage.homeless() })
                let fault = ["DISPATCHER_FAULT_CRASH_ON": "dead-letters.turn.copied"]
                let died = try await stage.deadLetters(["collect"], fault)
                #expect(died.exit == .signal(SIGABRT))
                let topology = try Servers.topology()
                _ = await eventually { try await topology.consumerCount("push.dead") == 0 }
                let run = try await stage.deadLetters(["collect"])
                let message = Comment("\(run.output) \(run.errors)")
                #expect(run.output.hasPrefix("kept 1000, removed "), message)
                #expect(!run.output.contains("removed 0,"), message)
                #expect(run.output.hasSuffix("collected 0, restored 0, unrestorable 0\n"), message)
                try await stage.expectAgreement(1_000)
            }
        }

        @Test("the broker's copy of a letter before the letter's own message leaves that one where it is")
        func copyFirst() async throws {
            try await Stage.with { stage in
                let job = Stage.homeless()
                try await stage.refuse([job])
                let own = try await DeadLetters.take(1)
                var copy = job.message(.normal)
                copy.exchange = "push.dlx"
                copy.properties.headers = DeadQueueTests.death
                let messages =
                    [copy]
                    + own.map {
                        AMQPMessage(
                            exchange: "push.dlx",
                            routingKey: $0.routingKey,
                            body: $0.body,
                            properties: $0.properties
                        )
                    }
                let results = await stage.publisher.publish(messages, deadline: .seconds(10))
                #expect(results == [.confirmed, .confirmed])
                let run = try await stage.deadLetters(["collect"])
                #expect(run.output == "kept 1, removed 0, collected 1, restored 0, unrestorable 0\n", "\(run.errors)")
                try await stage.expectAgreement(1)
            }
        }

        @Test("a message that the broker dead-lettered is collected with the broker's reason and replayed as it was")
        func rejectedByConsumer() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(1)
                var job = Job(to: #"{"tags":"crowd"}"#)
                job.messageID = job.id
                try await stage.publish([job])
                try await reject(1, from: "push.jobs.normal")
                let topology = try Servers.topology()
                let isDead = await eventually { try await topology.messageCount("push.dead") == 1 }
                #expect(isDead)
                let collected = try await stage.deadLetters(["collect"])
                #expect(collected.output.hasPrefix("kept 0, removed 0, collected 1,"), "\(collected.errors)")
                let shown = try await stage.deadLetters(["show", try await stage.letter(job)]).output
                for word in ["brokerDeadLetter", "in push.jobs.normal: rejected", "x-death", "push.in", "jobs.normal"] {
                    #expect(shown.contains(word), "\(word) in \(shown)")
                }
                let run = try await stage.deadLetters(["replay", "--all", "--reason", "brokerDeadLetter"])
                #expect(run.exit == .status(0) && run.output.hasPrefix("replayed 1,"), "\(run.errors)")
                try await stage.withWorkers {
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 1, "accepted": 1])
                }
                try await stage.expectAgreement(0)
            }
        }

        private func reject(_ count: Int, from queue: String) async throws {
            let consumer = AMQPConsumer(
                endpoint: try Servers.endpoint(),
                queue: queue,
                prefetch: 10,
                connectionName: "DispatcherTests reject",
                onEvent: { _ in }
            )
            consumer.start()
            for message in await consumer.next(limit: count) { consumer.reject(message.tag, requeue: false) }
            await consumer.stop()
        }

        @Test("a letter that is refused again before its replay is marked stays open")
        func race() async throws {
            try await Stage.with { stage in
                let job = Stage.homeless()
                try await stage.refuse([job])
                let store = DeadLetterStore(pool: stage.database.pool)
                let number = try #require(Int64(try await stage.letter(job)))
                let claim = try #require(UUIDValue("0193f2c4-7d1e-7abc-8def-0123456789ab"))
                let letters = try await store.claim([number], as: claim, again: false)
                #expect(letters.count == 1)
                let second = try await store.claim([number], as: claim, again: true)
                #expect(second.isEmpty)
                let unpublished = try await store.insert(letters.map(\.rejection), claim: claim)
                #expect(unpublished.isEmpty)
                try await store.markReplayed(letters)
                #expect(try await stage.count("state = 'open' AND replays = 1 AND times_seen = 2") == 1)
                try await stage.expectAgreement(1)
            }
        }
    }
}
