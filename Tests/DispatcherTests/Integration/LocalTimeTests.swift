import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Jobs for a time by the clocks of time zones.
    @Suite(.timeLimit(.minutes(4))) struct LocalTimeTests {
        /// What clocks in UTC show so many seconds from now, as a job writes it.
        private static func utc(in seconds: Int) -> String {
            String((DatabaseClock().now + .seconds(seconds)).rfc3339.prefix(19))
        }

        private static func job(at time: String, zone: String = "device", to: String = #"{"broadcast":true}"#) -> Job {
            Job(to: to, options: #"{"sendAt":"\#(time)","timeZone":"\#(zone)"}"#)
        }

        private static func places(_ stage: Stage) async throws {
            try await stage.register([
                Device("berlin", user: "b", zone: "Europe/Berlin"), Device("kolkata", user: "k", zone: "Asia/Kolkata"),
                Device("kiritimati", user: "i", zone: "Pacific/Kiritimati"),
                Device("west", user: "w", zone: "Etc/GMT+12"), Device("nowhere", user: "n"),
                Device("unknown", user: "u", zone: "Mars/Olympus"), Device("posix", user: "p", zone: "UTC+3"),
            ])
        }

        /// The rows of `dashboard.local_times`: the instant, the zones, the devices and the state.
        private static func rows(_ stage: Stage) async throws -> [[String]] {
            try await stage.database.texts(
                """
                SELECT to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), array_to_string(zones, ' '), devices::text, state
                FROM dashboard.local_times ORDER BY due_at
                """
            )
        }

        @Test(
            "each zone is due when PostgreSQL says that its clocks show the time, also in a gap and an overlap",
            arguments: [
                ("2027-01-15T12:00:00", "2027-01-15 11:00", "Europe/Berlin"),
                ("2027-03-28T02:30:00", "2027-03-28 01:30", "Europe/Berlin"),
                ("2027-10-31T02:30:00", "2027-10-31 01:30", "Europe/Berlin"),
                ("2027-10-31T01:59:59", "2027-10-30 23:59", "Europe/Berlin"),
                ("2027-01-15T12:00:00", "2027-01-15 06:30", "Asia/Kolkata"),
                ("2027-01-15T12:00:00", "2027-01-14 22:00", "Pacific/Kiritimati"),
                ("2027-01-15T12:00:00", "2027-01-16 00:00", "Etc/GMT+12"),
            ]
        )
        func moments(_ time: String, _ expected: String, _ zone: String) async throws {
            try await withDatabase { database in
                let store = LocalTimeStore(pool: database.pool)
                let local = try #require(Timestamp(rfc3339: time + "Z"))
                let moments = try await store.moments(of: LocalSchedule(time: local, zone: .named(zone)))
                let text = moments?.lowerBound.rfc3339.replacing("T", with: " ").prefix(16)
                #expect(text.map { String($0) } == expected && moments?.lowerBound == moments?.upperBound)
                let all = try #require(try await store.moments(of: LocalSchedule(time: local, zone: .device)))
                #expect(all.upperBound - all.lowerBound == .seconds(26 * 3_600))
                #expect(try await store.moments(of: LocalSchedule(time: local, zone: .named("Mars/Olympus"))) == nil)
            }
        }

        @Test("what a whole wave asks for is answered as each by itself; unknown zones have no answer")
        func moments() async throws {
            try await withDatabase { database in
                let store = LocalTimeStore(pool: database.pool)
                let texts = ["2027-03-28T02:30:00Z", "2027-10-31T02:30:00Z"]
                let times = try texts.map { try #require(Timestamp(rfc3339: $0)) }
                let names = ["Europe/Berlin", "Asia/Kolkata", "Etc/GMT+12"]
                let zones = names.map { LocalSchedule.Zone.named($0) } + [.device]
                let known = times.flatMap { time in zones.map { LocalSchedule(time: time, zone: $0) } }
                let unknown = times.map { LocalSchedule(time: $0, zone: .named("Mars/Olympus")) }
                let found = try await store.moments(of: Set(known + unknown))
                #expect(Set(found.keys) == Set(known))
                for local in known {
                    let alone = try await store.moments(of: local)
                    #expect(found[local] == alone, "\(local)")
                }
                #expect(try await store.moments(of: []).isEmpty)
            }
        }

        @Test("a job by the devices' clocks shows its zones, with the hub's for devices that have none")
        func zones() async throws {
            try await Stage.with { stage in
                try await Self.places(stage)
                let job = Self.job(at: "2027-03-28T02:30:00")
                try await stage.database.execute("UPDATE dispatcher.hub SET time_zone = 'America/St_Johns'")
                try await stage.withWorkers(2, ["DISPATCHER_RETENTION_DAYS": "400"]) { () async throws in
                    try await stage.publish([job])
                    #expect(await eventually { try await Self.rows(stage).count == 5 })
                    #expect(
                        try await Self.rows(stage) == [
                            ["2027-03-27 12:30", "Pacific/Kiritimati", "1", "waiting"],
                            ["2027-03-27 21:00", "Asia/Kolkata", "1", "waiting"],
                            ["2027-03-28 01:30", "Europe/Berlin", "1", "waiting"],
                            ["2027-03-28 05:00", "America/St_Johns", "3", "waiting"],
                            ["2027-03-28 14:30", "Etc/GMT+12", "1", "waiting"],
                        ]
                    )
                    #expect(try await stage.status(job)?.state == "scheduled")
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(#require(UUIDValue(job.id))))
                    #expect(try await Self.rows(stage).allSatisfy { $0[3] == "cancelled" })
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.plan") == 0)
                    let status = try await stage.finished(job)
                    #expect(status.state == "cancelled" && status.tally == [:])
                }
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("each device gets it once, when its clock says so, wherever it has gone meanwhile")
        func steps() async throws {
            try await Stage.with { stage in
                try await Self.places(stage)
                // Half an hour ahead in UTC, which is the hub's zone, and past in three others.
                let job = Self.job(at: Self.utc(in: 1_800))
                let accepted = "SELECT count(*) FROM dashboard.deliveries WHERE state = 'accepted'"
                try await stage.withWorkers(2) { () async throws in
                    try await stage.publish([job])
                    try await stage.expect(3, accepted)
                    #expect(try stage.witness.counts(of: job.id) == ["berlin": 1, "kolkata": 1, "kiritimati": 1])
                    #expect(try await stage.status(job)?.state == "planning")

                    // The hub's zone comes to be one that is due.
                    try await stage.database.execute("UPDATE dispatcher.hub SET time_zone = 'Africa/Cairo'")
                    try await Self.wake(stage)
                    try await stage.expect(6, accepted)
                    try await Self.atRest(stage)
                    let begun = try await Self.rows(stage)
                    #expect(begun.map { $0[3] } == ["begun", "begun", "begun", "begun", "waiting"], "\(begun)")

                    // One that has it goes where it is not due yet, and another leaves such a zone.
                    try await stage.register([
                        Device("kiritimati", user: "i", zone: "Etc/GMT+12"), Device("late", zone: "Etc/GMT+12"),
                        Device("west", user: "w", zone: "Asia/Tokyo"),
                    ])
                    try await Self.wake(stage)
                    try await stage.expect(7, accepted)
                    try await Self.atRest(stage)
                    let last = try await Self.rows(stage).last.map { [$0[1], $0[2], $0[3]] }
                    #expect(last == ["Etc/GMT+12", "1", "waiting"])
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(#require(UUIDValue(job.id))))
                    let status = try await stage.finished(job)
                    #expect(status.tally == ["audience": 7, "accepted": 7] && status.state == "cancelled")
                }
                let counts = try stage.witness.counts(of: job.id)
                #expect(counts.count == 7 && counts.values.allSatisfy { $0 == 1 } && counts["late"] == nil)
            }
        }

        /// Waits until whoever plans has written the next time.
        private static func atRest(_ stage: Stage) async throws {
            try await stage.expect(1, "SELECT count(*) FROM dispatcher.plan WHERE worker_id IS NULL AND due_at > now()")
        }

        /// Lets the plan go on as if the next zone on Earth were due.
        private static func wake(_ stage: Stage) async throws {
            try await atRest(stage)
            try await stage.database.execute("UPDATE dispatcher.plan SET due_at = now()")
        }

        @Test("with nobody left it is completed, and after its end all that are left are expired")
        func ends() async throws {
            try await Stage.with { stage in
                try await Self.places(stage)
                let done = Self.job(at: Self.utc(in: 3), to: #"{"users":["k","n"]}"#)
                let late = Self.job(at: Self.utc(in: 3_600), to: #"{"users":["k","n","w"]}"#)
                try await stage.withWorkers { () async throws in
                    try await stage.publish([done])
                    #expect(try await stage.finished(done).tally == ["audience": 2, "accepted": 2])
                    #expect(try await stage.status(done)?.state == "completed")
                    try await stage.publish([late])
                    try await stage.expect(
                        1,
                        "SELECT accepted FROM dashboard.notifications ORDER BY created_at DESC LIMIT 1"
                    )
                    try await Self.atRest(stage)
                    try await stage.database.execute("UPDATE dispatcher.notification SET expires_at = now()")
                    try await Self.wake(stage)
                    let status = try await stage.finished(late)
                    #expect(
                        status.tally == ["audience": 3, "accepted": 1, "expired": 2] && status.state == "completed"
                    )
                }
                #expect(try stage.witness.counts(of: late.id) == ["kolkata": 1])
            }
        }

        @Test("a time to live counts for each device from its own time, in a batch and in a retry")
        func lifetimes() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("hour", user: "h", zone: "Etc/GMT-1"), Device("now", user: "n", zone: "UTC"),
                    Device("retry", user: "r", channel: "after60-1", zone: "UTC"), Device("hours", zone: "Etc/GMT-2"),
                    Device("hour2", user: "h", zone: "Etc/GMT-1"),
                ])
                let options = #"{"sendAt":"\#(Self.utc(in: -20))","timeZone":"device","ttlSeconds":3660}"#
                let job = Job(to: #"{"broadcast":true}"#, options: options)
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job])
                    try await stage.expect(1, "SELECT count(*) FROM dispatcher.retry")
                    let status = try await stage.status(job)?.tally
                    #expect(status == ["audience": 5, "accepted": 3, "expired": 1, "retrying": 1])
                    // Its own end, an hour from now, comes before that of the last zone, thirteen hours from now.
                    try await stage.database.execute(
                        """
                        UPDATE dispatcher.installation SET time_zone = 'Etc/GMT-2' WHERE installation_id = 'retry';
                        UPDATE dispatcher.retry SET due_at = now();
                        """
                    )
                    #expect(try await stage.finished(job).tally == ["audience": 5, "accepted": 3, "expired": 2])
                }
                #expect(
                    try await stage.deliveries(job).map { "\($0.installation) \($0.state)" } == [
                        "hour accepted", "hour2 accepted", "hours expired", "now accepted", "retry expired",
                    ]
                )
            }
        }

        @Test("a crowd over many pages and zones is cut exactly once while its devices move and a planner dies")
        func crowd() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(60_000)
                try await stage.database.execute(
                    """
                    UPDATE dispatcher.installation SET time_zone = (ARRAY['Asia/Tokyo', 'Asia/Kolkata', 'UTC', 'Europe/Berlin'])[1 + id % 4]
                    """
                )
                let job = Self.job(at: Self.utc(in: 6), to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers(2) { () async throws in
                    try await stage.publish([job], lane: .bulk)
                    try await stage.expect(45_000, "SELECT audience FROM dispatcher.notification")
                    // Everybody goes somewhere else, and the plan is given up in the middle.
                    try await stage.database.execute(
                        """
                        UPDATE dispatcher.installation
                        SET time_zone = (ARRAY['UTC', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Tokyo'])[1 + id % 4], updated_at = clock_timestamp();
                        UPDATE dispatcher.plan SET worker_id = NULL, epoch = epoch + 1;
                        """
                    )
                    let status = try await stage.finished(job, within: .seconds(90))
                    #expect(status.tally == ["audience": 60_000, "accepted": 60_000])
                }
                let counts = try stage.witness.counts(of: job.id)
                #expect(counts.count == 60_000 && counts.values.allSatisfy { $0 == 1 })
            }
        }

        @Test("one zone is one instant, and a zone that nobody knows is a dead letter")
        func named() async throws {
            try await Stage.with { stage in
                try await Self.places(stage)
                let tokyo = Self.utc(in: 9 * 3_600 + 2)
                let job = Self.job(at: tokyo, zone: "Asia/Tokyo", to: #"{"users":["b","w"]}"#)
                let unknown = Self.job(at: tokyo, zone: "Mars/Olympus")
                let far = Self.job(at: "2030-01-01T00:00:00", zone: "Asia/Tokyo")
                let expired = Job(
                    to: #"{"broadcast":true}"#,
                    options: #"{"sendAt":"\#(tokyo)","timeZone":"Asia/Tokyo","expiresAt":"2026-01-01T00:00:00Z"}"#
                )
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job, unknown, far, expired])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 2])
                    try await stage.expect(3, "SELECT count(*) FROM dispatcher.dead_letter")
                }
                let letters = try await stage.database.texts(
                    "SELECT reason, path FROM dashboard.dead_letters ORDER BY 1"
                )
                #expect(
                    letters == [
                        ["conflictingMembers", "$.options"], ["outOfRange", "$.options.sendAt"],
                        ["unknownTimeZone", "$.options.timeZone"],
                    ]
                )
                #expect(try await Self.rows(stage).isEmpty)
            }
        }
    }
}
