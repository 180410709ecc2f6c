import AMQP
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

@Suite struct MessageOriginTests {
    @Test("a death counts by the queue of its newest entry, and by nothing else that a publisher may have written")
    func forged() throws {
        let evil: AMQPValue = .table([
            "queue": "evil", "exchange": "push.events", "routing-keys": .array(["notification.accepted"]),
        ])
        let own: AMQPValue = .table([
            "queue": "push.jobs.high", "reason": "expired", "exchange": "push.events",
            "routing-keys": .array(["notification.accepted"]),
        ])
        let death = try #require(
            BrokerDeath(["x-death": .array([own, evil]), "x-first-death-queue": "evil", "x-first-death-reason": "x"])
        )
        #expect(death.queue == "push.jobs.high" && death.detail.hasSuffix("in push.jobs.high: expired"))
        #expect(death.origin?.exchange == "push.in" && death.origin?.routingKey == "jobs.high")
        let unknown = try #require(BrokerDeath(["x-death": .array([evil, own])]))
        #expect(unknown.queue == "unknown" && unknown.origin == nil && unknown.detail.contains("evil"))
    }

    @Test("only the five keys of push.in are open to all")
    func origins() {
        for key in IntakeExchange.keys { #expect(MessageOrigin(queue: "push.\(key)")?.isOpenToAll == true) }
        #expect(IntakeExchange.keys.count == 5)
        #expect(MessageOrigin(queue: "push.batches.high")?.isOpenToAll == false)
        #expect(MessageOrigin(queue: "push.unroutable", routingKey: "jobs.bulk")?.isOpenToAll == true)
        #expect(MessageOrigin(queue: "push.unroutable", routingKey: "jobs.hihg")?.isOpenToAll == false)
        for queue in ["push.dead", "push.events", "stored", "evil", "", "push.jobs.other"] {
            #expect(MessageOrigin(queue: queue, routingKey: "jobs.high") == nil)
        }
    }
}

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeadLetterOriginTests {
        private static let forged: [String: AMQPValue] = [
            "x-death": .array([
                .table([
                    "queue": "evil", "exchange": "push.events", "routing-keys": .array(["notification.accepted"]),
                    "reason": "expired", "count": 1,
                ])
            ]),
            "x-first-death-queue": "evil", "x-first-death-exchange": "push.events", "x-first-death-reason": "expired",
        ]

        @Test("forged deaths lead a replay nowhere but to the queue where the message died")
        func forgedHeaders() async throws {
            try await Stage.with { stage in
                var message = Stage.homeless().message(.normal)
                message.properties.headers = Self.forged
                message.properties.expiration = "100"
                #expect(await stage.publisher.publish([message], deadline: .seconds(10)) == [.confirmed])
                let topology = try Servers.topology()
                let isDead = await eventually { try await topology.messageCount("push.dead") == 1 }
                #expect(isDead)
                let collected = try await stage.deadLetters(["collect"])
                #expect(collected.exit == .status(0), "\(collected.errors)")
                #expect(
                    try await stage.count(
                        "queue = 'push.jobs.normal' AND exchange = 'push.in' AND routing_key = 'jobs.normal'"
                    ) == 1
                )
                let run = try await stage.deadLetters(["replay", "--all"])
                #expect(run.exit == .status(0) && run.output.hasPrefix("replayed 1,"), "\(run.errors)")
                #expect(try await topology.messageCount("push.jobs.normal") == 1)
            }
        }

        @Test("a row that names another exchange is replayed to its queue, and one of an unknown queue only by --key")
        func forgedRows() async throws {
            try await Stage.with { stage in
                try await stage.refuse([Stage.homeless(), Stage.homeless()])
                try await stage.database.execute(
                    "UPDATE dispatcher.dead_letter SET exchange = 'push.events', routing_key = 'notification.accepted'"
                )
                let first = try await stage.deadLetters(["replay", "1"])
                #expect(first.exit == .status(0), "\(first.errors)")
                let topology = try Servers.topology()
                #expect(try await topology.messageCount("push.jobs.normal") == 1)
                try await stage.database.execute("UPDATE dispatcher.dead_letter SET queue = 'evil' WHERE id = 2")
                let second = try await stage.deadLetters(["replay", "2"])
                #expect(second.exit == .status(1) && second.errors.contains("2 is of unknown origin (queue evil"))
                #expect(try await topology.messageCount("push.jobs.normal") == 1)
                let named = try await stage.deadLetters(["replay", "2", "--key", "jobs.bulk"])
                #expect(named.output.hasPrefix("replayed 1,"), "\(named.errors)")
                #expect(try await topology.messageCount("push.jobs.bulk") == 1)
            }
        }

        @Test("the same message many times in one wave is seen as often")
        func timesSeen() async throws {
            try await Stage.with { stage in
                let job = Job(raw: Array("{".utf8), messageID: "same")
                let store = DeadLetterStore(pool: stage.database.pool)
                let claim = try #require(UUIDValue("0193f2c4-7d1e-7abc-8def-0123456789ab"))
                let message = AMQPDelivery(
                    tag: DeliveryTag(value: 1, epoch: 1),
                    body: job.body,
                    routingKey: "jobs.normal",
                    exchange: "push.in",
                    isRedelivered: false,
                    properties: AMQPProperties(messageID: job.messageID)
                )
                let rejection = Rejection(message, queue: "push.jobs.normal", reason: "invalidJSON", detail: "")
                let first = try await store.insert(Array(repeating: rejection, count: 20), claim: claim)
                #expect(first.count == 1)
                #expect(try await stage.count("times_seen = 20") == 1)
                _ = try await store.insert(Array(repeating: rejection, count: 3), claim: claim)
                #expect(try await stage.count("times_seen = 23") == 1)
            }
        }

        @Test("a letter is found by the id in its body, and a replay sends the message as it was")
        func idInBody() async throws {
            try await Stage.with { stage in
                var job = Stage.homeless()
                job.messageID = nil
                let broken = Job(raw: Array(#"{"id":"0193f2c4-7d1e-7abc-8def-000000000009","too":{}}"#.utf8))
                try await stage.refuse([job, broken])
                let listed = try await stage.deadLetters(["list", "--message-id", job.id])
                #expect(listed.output.contains(job.id) && listed.output.contains("unknownHub"), "\(listed.output)")
                #expect(listed.output.split(separator: "\n").count == 2)
                #expect(try await stage.count("message_id = '0193f2c4-7d1e-7abc-8def-000000000009'") == 1)
                let run = try await stage.deadLetters(["collect"])
                #expect(run.output.hasPrefix("kept 2, removed 0, collected 0"), "\(run.output)")
                let number = try await stage.letter(job)
                try await stage.withWorkers {
                    let replayed = try await stage.deadLetters(["replay", number])
                    #expect(replayed.exit == .status(0), "\(replayed.errors)")
                    let isBack = await eventually { try await stage.count("times_seen = 2 AND state = 'open'") == 1 }
                    #expect(isBack)
                }
                #expect(try await stage.count("TRUE") == 2)
            }
        }
    }
}
