import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// A device that its gateway wants to be left alone.
    @Suite(.timeLimit(.minutes(4))) struct DevicePauseTests {
        private static func waiting(_ count: Int, _ stage: Stage) async throws {
            try await stage.expect(count, "SELECT count(*) FROM dashboard.retries_due WHERE reason = 'DevicePaused'")
        }

        private static func job(_ options: String) -> Job {
            Job(to: #"{"installations":["busy"]}"#, options: options)
        }

        @Test("no push to a paused device is tried, whatever its priority, by any worker, also one that starts later")
        func pauses() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("busy", channel: "after900-busy"), Device("free")])
                let first = Self.job("{}")
                let others = [Self.job("{}"), Self.job(#"{"priority":"high"}"#)]
                let later = Self.job("{}")
                let short = Self.job(#"{"ttlSeconds":3}"#)
                let free = Job(to: #"{"installations":["free"]}"#)
                try await stage.withWorkers(2) { () async throws in
                    try await stage.publish([first])
                    try await stage.expect(1, "SELECT count(*) FROM dashboard.retries_due")
                    try await stage.publish(others + [free])
                    #expect(try await stage.finished(free).tally == ["audience": 1, "accepted": 1])
                    try await Self.waiting(2, stage)
                }
                try await stage.withWorkers { () async throws in
                    try await stage.publish([later, short])
                    #expect(try await stage.finished(short).tally == ["audience": 1, "expired": 1])
                    try await Self.waiting(3, stage)
                    for job in others + [later] {
                        let rows = try await stage.deliveries(job)
                        #expect(rows.map(\.attempts) == [0] && rows.map(\.state) == ["retrying"])
                    }
                    // Nobody was asked but once for each device.
                    let asked = try await stage.database.count(
                        """
                        SELECT sum(count)::int8 FROM dashboard.platform_outcomes WHERE state IN ('accepted', 'retrying')
                        """
                    )
                    #expect(asked == 2)
                    try await stage.register([Device("busy", channel: "ok-anew")])
                    let anew = Self.job("{}")
                    try await stage.publish([anew])
                    #expect(try await stage.finished(anew).tally == ["audience": 1, "accepted": 1])
                    try await stage.database.execute("UPDATE dispatcher.retry SET due_at = now()")
                    for job in others + [later, first] {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                }
                #expect(try await stage.deliveries(first).map(\.attempts) == [2])
                #expect(try await stage.deliveries(later).map(\.attempts) == [1])
            }
        }

        @Test("a pause ends with its time and with the channel, and an answer about another channel makes none")
        func ends() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("busy", channel: "token-1")])
                let number = try await stage.database.count("SELECT id FROM dispatcher.installation")
                let key = InstallationKey(rawValue: Int64(number))
                func pause(_ channel: String, _ seconds: Int) async throws -> Int {
                    let until = DatabaseClock().now + .seconds(seconds)
                    let paused = BatchRecord.PausedDevice(installation: key, channel: channel, until: until)
                    let statement = DevicePauseRows.statement([paused, paused])
                    return try await stage.database.pool.withSession { session throws(PostgresError) in
                        try session.execute(statement).affected
                    }
                }
                #expect(try await pause("token-0", 60) == 0)
                #expect(try await pause("token-1", 60) == 1)
                #expect(try await pause("token-1", 30) == 0)
                #expect(try await pause("token-1", 90) == 1)
                try await stage.register([Device("busy", channel: "token-1")])
                let paused = """
                    SELECT count(*) FROM dispatcher.installation WHERE paused_until > now() + interval '60 seconds'
                    """
                #expect(try await stage.database.count(paused) == 1)
                try await stage.register([Device("busy", channel: "token-2")])
                #expect(try await stage.database.count(paused) == 0)
                #expect(try await pause("token-2", -1) == 1)
                let job = Self.job("{}")
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                }
            }
        }
    }
}
