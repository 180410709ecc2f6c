import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Gateways that get into trouble and out of it while workers run.
    @Suite(.timeLimit(.minutes(4))) struct CircuitTests {
        /// So many devices of APNs that answer as the gateway does.
        private static func register(_ stage: Stage, _ count: Int, channel: String = "token-") async throws {
            try await stage.database.execute(
                """
                INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
                SELECT h.id, 'apns-' || n, 1, '\(channel)' || n, ARRAY['crowd']
                FROM dispatcher.hub h, generate_series(1, \(count)) n WHERE h.name = 'default'
                """
            )
        }

        private static func withModes(_ body: (Stage, ModeFile) async throws -> Void) async throws {
            let file = ModeFile()
            defer { file.remove() }
            try await Stage.with { try await body($0, file) }
        }

        private static func isStopped(_ cause: String, _ stage: Stage) async -> Bool {
            await eventually {
                try await stage.database.count(
                    "SELECT count(*) FROM dashboard.channels WHERE state <> 'closed' AND cause = '\(cause)'"
                ) == 1
            }
        }

        /// Every device was reached exactly once, by the last of its attempts, which are counted without a gap.
        private static func expectContiguous(_ job: Job, _ count: Int, _ stage: Stage) async throws {
            let lines = try stage.witness.lines().filter { $0.notificationId == job.id }
            let attempts = try await stage.deliveries(job).reduce(into: [:]) { $0[$1.installation] = $1.attempts }
            #expect(lines.count == count && attempts.count == count)
            #expect(lines.allSatisfy { attempts[$0.installationId] == $0.attempt })
        }

        @Test("a storm in the midst of traffic opens the circuit within five seconds, and it closes by itself")
        func storm() async throws {
            try await Self.withModes { stage, file in
                try await Self.register(stage, 2_000)
                let before = Job(to: #"{"tags":"crowd"}"#)
                let within = Job(to: #"{"tags":"crowd"}"#)
                let changes = file.setting.merging(["DISPATCHER_CHANNEL_PAUSE_SECONDS": "2"]) { $1 }
                try await stage.withWorkers(2, changes) {
                    try await stage.publish([before])
                    #expect(try await stage.finished(before).tally == ["audience": 2_000, "accepted": 2_000])
                    try file.say(#"{"*": {"answer": "unavailable"}}"#)
                    try await stage.publish([within])
                    #expect(await Self.isStopped("unavailable", stage))
                    let wait = try await stage.database.count(
                        """
                        SELECT extract(epoch FROM since - (
                            SELECT min(p.recorded_at) FROM dispatcher.progress p
                            JOIN dispatcher.notification n ON n.id = p.notification_id
                            WHERE n.job_id = '\(within.id)' AND p.state = 1)) * 1000
                        FROM dashboard.channels
                        """
                    )
                    print("circuit: open \(wait) ms after the storm's first answer")
                    #expect(wait < 5_000)
                    file.remove()
                    let tally = try await stage.finished(within, within: .seconds(60)).tally
                    #expect(tally == ["audience": 2_000, "accepted": 2_000])
                }
                try await Self.expectContiguous(within, 2_000, stage)
                #expect(try await stage.database.texts("SELECT state FROM dashboard.channels") == [["closed"]])
            }
        }

        @Test("a refused credential parks everything, burns nothing and resumes by itself; events say so")
        func refusal() async throws {
            try await Self.withModes { stage, file in
                try await Self.register(stage, 400)
                let jobs = (0..<2).map { _ in Job(to: #"{"tags":"crowd"}"#) }
                let changes = file.setting.merging(["DISPATCHER_CHANNEL_PAUSE_SECONDS": "3"]) { $1 }
                try file.say(#"{"apns": {"answer": "refuse"}}"#)
                try await EventListener.with("channel.#") { listener in
                    try await stage.withWorkers(2, changes) {
                        try await stage.publish([jobs[0]])
                        #expect(await Self.isStopped("refused", stage))
                        try await stage.publish([jobs[1]])
                        let parked = """
                            SELECT count(*) FROM dashboard.retries_due
                            WHERE state IN ('parked', 'due') AND attempts = 0 AND next_attempt_at IS NOT NULL
                            """
                        try await stage.expect(800, parked)
                        // Some would wait for five minutes, if the channel did not bring them forward.
                        try await stage.expect(
                            atLeast: 100,
                            "SELECT count(*) FROM dashboard.retries_due WHERE due_at > now() + interval '4 minutes'"
                        )
                        file.remove()
                        for job in jobs {
                            let tally = try await stage.finished(job, within: .seconds(60)).tally
                            #expect(tally == ["audience": 400, "accepted": 400])
                        }
                    }
                    let events = try await listener.take(2)
                    #expect(events.map(\.routingKey) == ["channel.stopped", "channel.resumed"])
                    #expect(events.allSatisfy { $0["source"] == "/hubs/default" && $0.data("platform") == "apns" })
                    #expect(
                        events.allSatisfy { $0.data("cause") == "refused" && $0.data("environment") == "production" }
                    )
                    #expect(events.first?.data("reason") == "InvalidProviderToken")
                }
                #expect(
                    try await stage.database.count("SELECT count(*) FROM dashboard.deliveries WHERE attempts <> 1") == 0
                )
            }
        }

        @Test("10,000 retries that are due at once come back at the configured pace")
        func pace() async throws {
            try await Stage.with { stage in
                try await Self.register(stage, 10_000, channel: "after600-")
                let job = Job(to: #"{"broadcast":true}"#)
                try await stage.withWorkers {
                    try await stage.publish([job], lane: .bulk)
                    try await stage.expect(10_000, "SELECT count(*) FROM dispatcher.retry", within: .seconds(60))
                }
                try await stage.database.execute(
                    "UPDATE dispatcher.retry SET due_at = now(); UPDATE dispatcher.installation SET paused_until = NULL"
                )
                let start = ContinuousClock.now
                try await stage.withWorkers(1, ["DISPATCHER_RETRY_RATE": "2000"]) {
                    let tally = try await stage.finished(job, within: .seconds(90)).tally
                    #expect(tally == ["audience": 10_000, "accepted": 10_000])
                }
                // The last 500 are not released earlier, however quick the machine is.
                #expect(ContinuousClock.now - start >= .milliseconds(4_500))
                let seconds = try await stage.database.texts(
                    """
                    SELECT count(*)::text FROM dashboard.deliveries GROUP BY date_trunc('second', accepted_at)
                    ORDER BY count(*) DESC
                    """
                ).compactMap { Int($0[0]) }
                print("retries: by second \(seconds)")
                #expect(seconds.count >= 3 && seconds[0] <= 3 * 2_000, "\(seconds)")
                try await Self.expectContiguous(job, 10_000, stage)
            }
        }

        @Test("retries beyond their gateway's budget wait with their reason, uncounted, and are sent when it recovers")
        func budget() async throws {
            try await Self.withModes { stage, file in
                try await Self.register(stage, 6_000)
                let job = Job(to: #"{"broadcast":true}"#)
                try file.say(#"{"*": {"answer": "unavailable", "share": 0.7}}"#)
                try await stage.withWorkers(1, file.setting) {
                    try await stage.publish([job], lane: .bulk)
                    try await stage.expect(
                        atLeast: 1,
                        """
                        SELECT count(*) FROM dashboard.retries_due
                        WHERE state = 'parked' AND reason = 'ServiceUnavailable' AND attempts >= 1
                        """
                    )
                    file.remove()
                    let tally = try await stage.finished(job, within: .seconds(90)).tally
                    #expect(tally == ["audience": 6_000, "accepted": 6_000])
                }
                try await Self.expectContiguous(job, 6_000, stage)
            }
        }

        @Test("a device goes by the channel that the gateway names from then on")
        func moved() async throws {
            try await Stage.with { stage in
                let devices = [
                    Device("kindle", platform: "adm", channel: "moved-1", tags: ["adm"]),
                    Device("old", platform: "adm", channel: "moved-2", tags: ["adm"]),
                    Device("new", platform: "adm", channel: "ok-2", tags: ["adm"]),
                ]
                try await stage.register(devices)
                let jobs = (0..<2).map { _ in Job(to: #"{"tags":"adm"}"#) }
                try await stage.withWorkers {
                    try await stage.publish([jobs[0]])
                    #expect(try await stage.finished(jobs[0]).tally == ["audience": 3, "accepted": 3])
                    let stored = """
                        SELECT installation_id, push_channel, coalesce(retire_reason, '-')
                        FROM dispatcher.installation ORDER BY 1
                        """
                    let areStored = await eventually {
                        try await stage.database.texts(stored) == [
                            ["kindle", "ok-1", "-"], ["new", "ok-2", "-"], ["old", "moved-2", "ChannelTaken"],
                        ]
                    }
                    #expect(areStored)
                    try await stage.publish([jobs[1]])
                    #expect(try await stage.finished(jobs[1]).tally == ["audience": 2, "accepted": 2])
                }
            }
        }
    }
}
