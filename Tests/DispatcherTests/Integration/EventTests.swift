import AMQP
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What other services are told on `push.events`.
    @Suite(.timeLimit(.minutes(4))) struct EventTests {
        private static let waiting = "SELECT count(*) FROM dispatcher.outbox"

        @Test("a receipt becomes an event that says everything, and the outbox is empty again")
        func receipts() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice", platform: "fcmV1")])
                let job = Job(to: "{}")
                try await stage.sent(job, to: ["phone"])
                try await EventListener.with { listener in
                    try await stage.withWorkers {
                        let more = #","actionId":"comment","text":"See you","response":"dismiss""#
                        let reply = ReceiptBody("reply", of: job, on: "phone", more: more)
                        try await stage.publish([reply.json, reply.json], to: .receipts)
                        let events = try await listener.take(1)
                        let event = try #require(events.first)
                        #expect(events.count == 1)
                        #expect(event.routingKey == "notification.reply")
                        #expect(event.contentType == "application/cloudevents+json")
                        #expect(event.id == "\(job.id)/phone/reply reply-phone")
                        #expect(event["source"] == "/hubs/default" && event["subject"] == job.id)
                        #expect(event.data("installationId") == "phone" && event.data("userId") == "alice")
                        #expect(event.data("platform") == "fcmV1" && event.data("response") == "dismiss")
                        #expect(event.data("actionId") == "comment" && event.data("text") == "See you")
                        #expect(event.data("at") == "2026-11-30T08:00:00Z")
                        try await stage.expect(0, Self.waiting)
                    }
                }
            }
        }

        @Test(
            "an event says what was so when it happened, though the device is gone since; what was erased is not told"
        )
        func goneDevice() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice"), Device("tablet")])
                let job = Job(to: "{}")
                try await stage.sent(job, to: ["phone", "tablet"])
                let intake = ReceiptIntake(pool: stage.database.pool, told: .all)
                let more = #","actionId":"a","text":"t""#
                let bodies = ["phone", "tablet"].map { ReceiptBody("reply", of: job, on: $0, more: more).json }
                let receipts = try bodies.map { try Receipt(decoding: Array($0.utf8)) }
                _ = try await intake.take(receipts, in: 1)
                try await stage.database.execute(
                    """
                    DELETE FROM dispatcher.installation;
                    UPDATE dispatcher.receipt SET reply = NULL WHERE receipt_id = 'reply-tablet';
                    """
                )
                try await EventListener.with { listener in
                    try await stage.withWorkers {
                        let events = try await listener.take(1)
                        #expect(events.map { $0.data("installationId") } == ["phone"])
                        #expect(events.first?.data("userId") == "alice")
                        try await stage.expect(0, Self.waiting)
                    }
                }
            }
        }

        @Test("10,000 receipts are 10,000 events, in the order in which one worker took them")
        func many() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(2_500)
                let job = Job(to: "{}")
                try await stage.sent(job, to: (1...2_500).map { "crowd-\($0)" })
                let kinds = ["fetched", "displayed", "read", "dismissed"]
                try await EventListener.with { listener in
                    try await stage.withWorkers(3) {
                        let all = (1...2_500).flatMap { n in
                            kinds.map { ReceiptBody($0, of: job, on: "crowd-\(n)").json }
                        }
                        try await stage.publish(all.shuffled(), to: .receipts)
                        let events = try await listener.take(10_000, within: .seconds(60))
                        #expect(events.count == 10_000)
                        let distinct = Set(events.map(\.id))
                        #expect(distinct.count == 10_000)
                        for kind in kinds { #expect(events.count { $0.kind == kind } == 2_500) }
                        try await stage.expect(0, Self.waiting)
                    }
                }
            }
        }

        @Test("a worker that dies after the confirm tells the event again with the same id, and none is lost")
        func crash() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(50)
                let job = Job(to: "{}")
                try await stage.sent(job, to: (1...50).map { "crowd-\($0)" })
                try await EventListener.with { listener in
                    let receipts = (1...50).map {
                        ReceiptBody("read", of: job, on: "crowd-\($0)", id: "crash-\($0)").json
                    }
                    try await stage.publish(receipts, to: .receipts)
                    let worker = try Program(
                        ["worker"],
                        environment: stage.environment(["DISPATCHER_FAULT_CRASH_AFTER_TELLING": "crash-50"])
                    )
                    #expect(await worker.exit(within: .seconds(40)) == .signal(SIGABRT))
                    let told = try await listener.take(50, within: .seconds(10))
                    // Whatever of the wave was told before the crash, nothing of the last batch is out of the outbox.
                    #expect(told.contains { $0.id.hasSuffix(" crash-50") })
                    try await stage.withWorkers {
                        let again = try await listener.take(50, within: .seconds(40))
                        let all = told + again
                        #expect(Set(all.map(\.id)).count == 50 && all.count > 50)
                        #expect(all.count { $0.id.hasSuffix(" crash-50") } == 2)
                        try await stage.expect(0, Self.waiting)
                    }
                }
            }
        }

        @Test("without the exchange, events wait and are counted in the view; pushes go on")
        func exchangeAway() async throws {
            try await withoutExchange { stage, job, restore in
                try await stage.publish([job])
                _ = try await stage.finished(job)
                try await stage.publish([ReceiptBody("read", of: job, on: "phone").json], to: .receipts)
                try await stage.expect(1, "SELECT coalesce(sum(count), 0) FROM dashboard.outbox WHERE kind = 'read'")
                let second = Job(to: #"{"installations":["phone"]}"#)
                try await stage.publish([second])
                _ = try await stage.finished(second)
                #expect(try await stage.database.count(Self.waiting) == 1)
                try await restore()
                try await EventListener.with { listener in
                    // The queue may be bound too late for it; that it leaves is enough.
                    _ = listener
                    try await stage.expect(0, Self.waiting)
                }
            }
        }

        @Test("600 events that the broker does not take hold up none of the hub's own jobs")
        func eventsAreNotInTheWay() async throws {
            try await withoutExchange { stage, job, restore in
                let body = String(decoding: job.body, as: UTF8.self)
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.outbox (hub_id, event, body)
                    SELECT 0, 30, convert_to('{}', 'UTF8') FROM generate_series(1, 600);
                    INSERT INTO dispatcher.outbox (notification_id, job_id, hub_id, lane, body)
                    VALUES (1, '\(job.id)', 1, 0, convert_to('\(body)', 'UTF8'))
                    """
                )
                #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                #expect(try await stage.database.count(Self.waiting) == 600)
                try await restore()
                try await stage.expect(0, Self.waiting)
            }
        }

        /// A worker, a phone and a job for it while there is no exchange for events; it is there again afterwards, whatever
        /// the body does.
        private func withoutExchange(
            _ body: (_ stage: Stage, _ job: Job, _ restore: () async throws -> Void) async throws -> Void
        ) async throws {
            let topology = try Servers.topology()
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                let job = Job(to: #"{"installations":["phone"]}"#)
                try await topology.deleteExchange("push.events")
                let restore = { try await topology.declareExchange("push.events", type: "topic") }
                do {
                    try await stage.withWorkers { try await body(stage, job, restore) }
                } catch {
                    try await restore()
                    throw error
                }
            }
        }

        /// A device for each end, and what is told of them.
        private func ends(_ choice: [String: String], expected: [String]) async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("good", tags: ["a"]), Device("gone", channel: "dead-1", tags: ["a"]),
                    Device("denied", tags: ["a"], permission: "denied"),
                ])
                let job = Job(to: #"{"tags":"a"}"#)
                try await EventListener.with { listener in
                    try await stage.withWorkers(1, choice) {
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                        let events = try await listener.take(expected.count)
                        #expect(events.map { "\($0.kind) \($0.data("installationId") ?? "")" }.sorted() == expected)
                        #expect(Set(events.map(\.id)).count == expected.count)
                        for event in events where ["failed", "retired"].contains(event.kind) {
                            #expect(event.data("reason") == "Unregistered" && event.data("attempts") == "1")
                            #expect(event.id == "\(job.id)/gone/\(event.kind)")
                        }
                        try await stage.expect(0, Self.waiting)
                    }
                }
            }
        }

        @Test("the bad ends of deliveries are told; all of them, or none, when so configured")
        func deliveries() async throws {
            try await ends([:], expected: ["failed gone", "retired gone"])
            try await ends(
                ["DISPATCHER_EVENTS": "all"],
                expected: ["accepted good", "failed gone", "retired gone", "suppressed denied"]
            )
            try await ends(["DISPATCHER_EVENTS": "none"], expected: [])
        }

        @Test("a job of the hub's own is published once it is committed, and is one notification")
        func jobs() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                let job = Job(to: #"{"installations":["phone"]}"#)
                for _ in 0..<2 {
                    try await stage.database.execute(
                        """
                        INSERT INTO dispatcher.outbox (notification_id, job_id, hub_id, lane, body)
                        VALUES (1, '\(job.id)', 1, 0, convert_to('\(String(decoding: job.body, as: UTF8.self))', 'UTF8'))
                        """
                    )
                }
                try await stage.withWorkers {
                    #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    try await stage.expect(0, Self.waiting)
                }
                #expect(try await DeadLetters.take(0).isEmpty)
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.notification") == 1)
            }
        }
    }
}
