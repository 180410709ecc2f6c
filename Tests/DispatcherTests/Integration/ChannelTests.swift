import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Channels that stop, keep their devices and come back by themselves.
    @Suite(.timeLimit(.minutes(4))) struct ChannelTests {
        private static let ill = 3_000
        private static let well = 1_000

        /// A crowd whose APNs devices are answered as the gateway is set, and whose FCM devices are always accepted.
        private static func register(_ stage: Stage) async throws {
            try await stage.database.execute(
                """
                INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
                SELECT h.id, 'apns-' || n, 1, 'token-' || n, ARRAY['crowd']
                FROM dispatcher.hub h, generate_series(1, \(ill)) n WHERE h.name = 'default';
                INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
                SELECT h.id, 'fcm-' || n, 2, 'ok-' || n, ARRAY['crowd']
                FROM dispatcher.hub h, generate_series(1, \(well)) n WHERE h.name = 'default'
                """
            )
        }

        private static func isStopped(_ cause: String, _ stage: Stage) async -> Bool {
            await eventually {
                try await stage.database.texts(
                    "SELECT hub, platform, cause FROM dashboard.channels WHERE state <> 'closed'"
                )
                    == [["default", "apns", cause]]
            }
        }

        private static func count(_ condition: String, _ stage: Stage) async throws -> Int {
            try await stage.database.count("SELECT count(*) FROM dashboard.deliveries WHERE \(condition)")
        }

        private static func changes(_ stage: Stage, _ gateway: String, pause: Int = 3) -> [String: String] {
            [
                "DISPATCHER_SIMULATED_GATEWAY": gateway, "DISPATCHER_CHANNEL_PAUSE_SECONDS": "\(pause)",
                "DISPATCHER_DATABASE_URL": "\(stage.database.url)?options=-c%20role%3Ddispatcher_worker",
            ]
        }

        @Test("a channel that calls every device dead stops, keeps its devices, harms no other and comes back")
        func guardTrips() async throws {
            try await Stage.with { stage in
                try await Self.register(stage)
                let first = Job(to: #"{"broadcast":true}"#)
                let second = Job(to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers(2, Self.changes(stage, "unregistered=1.0")) {
                    try await stage.publish([first], lane: .bulk)
                    #expect(await Self.isStopped("dead", stage))
                    try await stage.publish([second], lane: .bulk)
                    let areServed = await eventually {
                        try await Self.count("platform = 'fcmV1' AND state = 'accepted'", stage) == 2 * Self.well
                    }
                    #expect(areServed)
                    // A record on its way may retire after the guard; the next round restores it.
                    let areKept = await eventually {
                        try await stage.database.count(
                            "SELECT count(*) FROM dashboard.installations WHERE retired_at IS NOT NULL"
                        ) == 0
                    }
                    #expect(areKept)
                    #expect(try await Self.count("reason = 'ChannelPaused: Unregistered' AND attempts = 0", stage) > 0)
                    let restored = try await stage.database.count("SELECT retired_restored FROM dashboard.channels")
                    #expect(restored > 0)
                }
                try await stage.withWorkers(1, Self.changes(stage, "perfect")) {
                    let statuses = try await [
                        stage.finished(first, within: .seconds(60)), stage.finished(second, within: .seconds(60)),
                    ]
                    try await expectExact(statuses, stage)
                }
            }
        }

        /// Every device has one row for each notification; what was called dead before the guard closed is what failed.
        private func expectExact(_ statuses: [NotificationStatus], _ stage: Stage) async throws {
            let audience = Self.ill + Self.well
            let failed = try await Self.count("state = 'failed'", stage)
            #expect(try await Self.count("state = 'accepted'", stage) == 2 * audience - failed)
            #expect(try await Self.count("true", stage) == 2 * audience)
            for status in statuses {
                #expect(status.tally["audience"] == audience)
                #expect((status.tally["accepted"] ?? 0) + (status.tally["failed"] ?? 0) == audience)
            }
            #expect(try stage.witness.lines().count == 2 * audience - failed)
            #expect(try await stage.database.texts("SELECT state FROM dashboard.channels") == [["closed"]])
        }

        @Test(
            "a storm of server errors opens the circuit within five seconds; nothing but probes goes out till it ends"
        )
        func storm() async throws {
            try await Stage.with { stage in
                try await Self.register(stage)
                let job = Job(to: #"{"broadcast":true}"#)
                try await stage.withWorkers(2, Self.changes(stage, "unavailable=1.0", pause: 5)) {
                    try await stage.publish([job], lane: .bulk)
                    #expect(await Self.isStopped("unavailable", stage))
                    let wait = try await stage.database.count(
                        """
                        SELECT extract(epoch FROM since - (SELECT min(created_at) FROM dashboard.notifications)) * 1000
                        FROM dashboard.channels
                        """
                    )
                    #expect(wait < 5_000)
                    let areCounted = await eventually { try await Self.count("true", stage) == Self.ill + Self.well }
                    #expect(areCounted)
                    // Both workers know of it by now; what was on its way is recorded.
                    try await Task.sleep(for: .seconds(2))
                    let before = try await stage.database.count("SELECT sum(attempts) FROM dashboard.deliveries")
                    let isProbed = await eventually(within: .seconds(30)) {
                        try await stage.database.count("SELECT count(*) FROM dashboard.channels WHERE round >= 3") == 1
                    }
                    #expect(isProbed)
                    let after = try await stage.database.count("SELECT sum(attempts) FROM dashboard.deliveries")
                    print(
                        "channels: storm to open \(wait) ms, \(before) attempts, then \(after - before) in two rounds"
                    )
                    #expect(after - before <= 2 * 2 * 3)
                }
                try await stage.withWorkers(1, Self.changes(stage, "perfect")) {
                    let total = Self.ill + Self.well
                    let tally = try await stage.finished(job, within: .seconds(90)).tally
                    #expect(tally == ["audience": total, "accepted": total])
                }
                #expect(try stage.witness.counts(of: job.id).values.allSatisfy { $0 == 1 })
                #expect(try await stage.database.texts("SELECT state FROM dashboard.channels") == [["closed"]])
            }
        }

        @Test("a refused credential stops its channel at once, over a restart too, and others go on")
        func refusal() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("denied", channel: "deny-1"), Device("well"), Device("other", platform: "fcmV1"),
                ])
                let first = Job(to: #"{"installations":["denied"]}"#)
                let second = Job(to: #"{"installations":["well","other"]}"#)
                try await stage.withWorkers(2, Self.changes(stage, "perfect", pause: 4)) {
                    try await stage.publish([first])
                    #expect(await Self.isStopped("refused", stage))
                }
                // The pause outlives the workers that imposed it.
                try await stage.withWorkers(1, Self.changes(stage, "perfect", pause: 4)) {
                    try await stage.publish([second])
                    let isServed = await eventually { try await Self.count("state = 'accepted'", stage) == 1 }
                    #expect(isServed)
                    let held = try await stage.deliveries(second).first { $0.installation == "well" }
                    #expect(held?.state == "retrying" && held?.attempts == 0)
                    #expect(held?.reason == "ChannelPaused: InvalidProviderToken")
                    #expect(try await stage.finished(second).tally == ["audience": 2, "accepted": 2])
                    let isClosed = await eventually {
                        try await stage.database.texts("SELECT state FROM dashboard.channels") == [["closed"]]
                    }
                    #expect(isClosed)
                }
            }
        }

        @Test("what waits for a stopped channel still expires in time and can be cancelled")
        func expiryAndCancel() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("denied", channel: "deny-1"), Device("well")])
                let cause = Job(to: #"{"installations":["denied"]}"#)
                let short = Job(to: #"{"installations":["well"]}"#, options: #"{"ttlSeconds":3}"#)
                let wrong = Job(to: #"{"installations":["well"]}"#, options: #"{"ttlSeconds":20}"#)
                try await stage.withWorkers(2, Self.changes(stage, "perfect", pause: 300)) {
                    try await stage.publish([cause])
                    #expect(await Self.isStopped("refused", stage))
                    try await Task.sleep(for: ChannelKeeper.interval + .milliseconds(500))
                    try await stage.publish([short, wrong])
                    let areHeld = await eventually { try await Self.count("attempts = 0", stage) == 3 }
                    #expect(areHeld)
                    let result = try await Program.run(["cancel", wrong.id], environment: stage.environment())
                    #expect(result.exit == .status(0))
                    #expect(
                        try await stage.finished(short, within: .seconds(10)).tally == ["audience": 1, "expired": 1]
                    )
                    #expect(try await stage.finished(wrong).tally == ["audience": 1, "cancelled": 1])
                }
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("an operator who says that the devices are really gone is believed")
        func trusted() async throws {
            try await Stage.with { stage in
                try await stage.register(
                    (0..<120).map { Device("gone-\($0)", channel: "dead-\($0)", tags: ["gone"]) }
                )
                let jobs = (0..<2).map { _ in Job(to: #"{"tags":"gone"}"#) }
                let retired = "SELECT count(*) FROM dashboard.installations WHERE retired_at IS NOT NULL"
                try await stage.withWorkers(2, Self.changes(stage, "perfect", pause: 3)) {
                    try await stage.publish([jobs[0]])
                    #expect(await Self.isStopped("dead", stage))
                    let areRestored = await eventually { try await stage.database.count(retired) == 0 }
                    #expect(areRestored)
                    let arguments = ["channels", "resume", "default", "apns", "--trust"]
                    let first = try await Program.run(arguments, environment: stage.environment())
                    #expect(first.exit == .status(0) && first.output == "default apns - resumed\n")
                    let second = try await Program.run(arguments, environment: stage.environment())
                    #expect(second.exit == .status(1))
                    try await Task.sleep(for: ChannelKeeper.interval + .milliseconds(500))
                    try await stage.publish([jobs[1]])
                    let status = try await stage.finished(jobs[1])
                    #expect(status.tally["failed"] == status.tally["audience"])
                    let areRetired = await eventually { try await stage.database.count(retired) > 50 }
                    #expect(areRetired)
                    #expect(try await stage.database.texts("SELECT state FROM dashboard.channels") == [["closed"]])
                }
            }
        }
    }
}
