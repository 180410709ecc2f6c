import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct ScriptedChannelTests {
        private static let devices = [
            Device("a-ok", channel: "ok-1", tags: ["all"]),
            Device("b-dead", channel: "dead-1", tags: ["all"]),
            Device("c-dead-fcm", platform: "fcmV1", channel: "dead-2", tags: ["all"]),
            Device("d-retry", channel: "retry2-1", tags: ["all"]),
            Device("e-after", channel: "after3-1", tags: ["all"]),
            Device("f-large", channel: "large-1", tags: ["all"]),
            Device("g-ok-fcm", platform: "fcmV1", channel: "ok-2", tags: ["all"]),
        ]

        /// State, attempts, reason and ambiguity by device, as the documentation's tables have them.
        private static let expected: [(state: String, attempts: Int, reason: String?, isAmbiguous: Bool)] = [
            ("accepted", 1, nil, false),
            ("failed", 1, "Unregistered", false),
            ("failed", 1, "UNREGISTERED", false),
            ("accepted", 3, nil, false),
            ("accepted", 2, nil, false),
            ("failed", 1, "PayloadTooLarge", false),
            ("accepted", 1, nil, false),
        ]

        @Test("every scripted answer ends in the state, attempts and reason that are documented")
        func outcomes() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let job = Job(to: #"{"tags":"all"}"#)
                try await stage.withWorkers(2) {
                    try await stage.publish([job])
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 7, "accepted": 4, "failed": 3])
                }
                let deliveries = try await stage.deliveries(job)
                #expect(deliveries.map(\.installation) == Self.devices.map(\.id))
                for (delivery, expected) in zip(deliveries, Self.expected) {
                    #expect(delivery.state == expected.state, "\(delivery)")
                    #expect(delivery.attempts == expected.attempts, "\(delivery)")
                    #expect(delivery.reason == expected.reason, "\(delivery)")
                    #expect(delivery.isAmbiguous == expected.isAmbiguous, "\(delivery)")
                }
                let accepted = ["a-ok": 1, "d-retry": 1, "e-after": 1, "g-ok-fcm": 1]
                #expect(try stage.witness.counts(of: job.id) == accepted)
                try await expectRetired(["b-dead", "c-dead-fcm"], stage)
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.retry") == 0)
            }
        }

        private func expectRetired(_ ids: [String], _ stage: Stage) async throws {
            let retired = try await stage.database.texts(
                "SELECT installation_id FROM dashboard.installations WHERE retired_at IS NOT NULL ORDER BY 1"
            )
            #expect(retired.map { $0[0] } == ids)
        }

        @Test("a Retry-After of three seconds is waited for")
        func retryAfter() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("slow", channel: "after3-1")])
                let job = Job(to: #"{"installations":["slow"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let isWaiting = await eventually { try await stage.deliveries(job).first?.state == "retrying" }
                    #expect(isWaiting)
                    let due = try await stage.database.count("SELECT count(*) FROM dashboard.retries_due")
                    #expect(due == 1)
                    #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                }
                let waited = try await stage.database.count(
                    """
                    SELECT extract(epoch FROM d.accepted_at - n.created_at) * 1000
                    FROM dashboard.deliveries d JOIN dashboard.notifications n ON n.id = d.notification_id
                    """
                )
                #expect((3_000...6_000).contains(waited))
            }
        }

        @Test("a device that registers again after its retirement is reached again")
        func revival() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", channel: "dead-1", tags: ["phone"])])
                let jobs = (0..<3).map { _ in Job(to: #"{"tags":"phone"}"#) }
                try await stage.withWorkers {
                    try await stage.publish([jobs[0]])
                    #expect(try await stage.finished(jobs[0]).tally == ["audience": 1, "failed": 1])
                    try await stage.publish([jobs[1]])
                    #expect(try await stage.finished(jobs[1]).tally == [:])
                    try await stage.register([Device("phone", channel: "ok-new", tags: ["phone"])])
                    try await stage.publish([jobs[2]])
                    #expect(try await stage.finished(jobs[2]).tally == ["audience": 1, "accepted": 1])
                }
                #expect(try stage.witness.lines().map(\.notificationId) == [jobs[2].id])
            }
        }

        @Test("silence is ambiguous: sent again as at-least-once, closed as unknown as at-most-once")
        func silence() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("mute", channel: "hang-1"), Device("well")])
                let again = Job(to: #"{"installations":["mute","well"]}"#)
                let options = #"{"guarantee":"at-most-once"}"#
                let once = Job(to: #"{"installations":["mute","well"]}"#, options: options)
                try await stage.withWorkers(1, ["DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "1"]) {
                    try await stage.publish([again, once])
                    #expect(try await stage.finished(once).tally == ["audience": 2, "accepted": 1, "unknown": 1])
                    let isRetried = await eventually { try await stage.deliveries(again).first?.attempts == 2 }
                    #expect(isRetried)
                }
                let mute = try await stage.deliveries(again)[0]
                #expect(mute.state == "retrying" && mute.isAmbiguous && mute.reason == "NoAnswer")
                let closed = try await stage.deliveries(once)[0]
                #expect(closed.state == "unknown" && closed.isAmbiguous && closed.attempts == 1)
                #expect(try stage.witness.lines().map(\.installationId) == ["well", "well"])
            }
        }

        @Test("a refused credential parks the push, retires nobody and uses up no attempts")
        func denied() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("denied", channel: "deny-1"), Device("well")])
                let job = Job(to: #"{"installations":["denied","well"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let isParked = await eventually {
                        try await stage.database.count(
                            "SELECT count(*) FROM dashboard.retries_due WHERE due_at > now() + interval '4 minutes'"
                        ) == 1
                    }
                    #expect(isParked)
                }
                let denied = try await stage.deliveries(job)[0]
                #expect(denied.state == "retrying" && denied.attempts <= 1 && !denied.isAmbiguous)
                #expect(denied.reason == "InvalidProviderToken")
                try await expectRetired([], stage)
            }
        }

        @Test("one silent device holds up neither its batch nor other jobs")
        func slowDevice() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(200)
                try await stage.register([Device("mute", channel: "hang-1", tags: ["crowd"])])
                let job = Job(to: #"{"tags":"crowd"}"#)
                let other = Job(to: #"{"installations":["crowd-7"]}"#)
                try await stage.withWorkers(1, ["DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "5"]) {
                    try await stage.publish([job])
                    let areRecorded = await eventually(within: .seconds(4)) {
                        try await stage.deliveries(job).count { $0.state == "accepted" } == 200
                    }
                    #expect(areRecorded)
                    try await stage.publish([other])
                    #expect(try await stage.finished(other, within: .seconds(4)).tally["accepted"] == 1)
                }
            }
        }
    }
}
