import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Classes of notifications: quiet hours and caps.
    @Suite(.timeLimit(.minutes(4))) struct ClassTests {
        private static func job(
            _ users: [String],
            _ options: String = "{}",
            content: String = #"{"title":"Hello"}"#,
            hub: String = "default"
        ) -> Job {
            let list = users.map { #""\#($0)""# }.joined(separator: ",")
            return Job(to: #"{"users":[\#(list)]}"#, content: content, options: options)
        }

        private static func set(_ stage: Stage, _ arguments: [String]) async throws -> String {
            let run = try await Program.run(
                ["classes", "set", "default"] + arguments,
                environment: stage.environment()
            )
            #expect(run.exit == .status(0), "\(run.errors)")
            return run.output
        }

        /// A zone in which it is now the hour, and one that is some hours from it.
        private static func zone(at hour: Int) -> String {
            let now = Int(DatabaseClock().now.seconds / 3_600 % 24)
            let east = ((hour - now) % 24 + 24) % 24
            return east <= 12 ? "Etc/GMT-\(east)" : "Etc/GMT+\(24 - east)"
        }

        private static func reasons(_ stage: Stage, _ job: Job) async throws -> [String] {
            try await stage.database.texts(
                """
                SELECT concat_ws(' ', installation_id, state, reason, attempts) FROM dashboard.deliveries
                WHERE notification_id::text = $1 ORDER BY 1
                """,
                [.text(job.id)]
            ).map { $0[0] }
        }

        @Test(
            "quiet hours end by the clock of the zone, over midnight, over a gap and over an overlap",
            arguments: [
                ("Europe/Berlin", "22:00", "08:00", "2027-01-15T20:59:59Z", nil),
                ("Europe/Berlin", "22:00", "08:00", "2027-01-15T21:00:00Z", "2027-01-16T07:00:00Z"),
                ("Europe/Berlin", "22:00", "08:00", "2027-01-16T06:59:59Z", "2027-01-16T07:00:00Z"),
                ("Europe/Berlin", "22:00", "08:00", "2027-01-16T07:00:00Z", nil),
                ("Europe/Berlin", "12:00", "13:30", "2027-01-16T11:30:00Z", "2027-01-16T12:30:00Z"),
                ("Europe/Berlin", "12:00", "13:30", "2027-01-16T10:59:59Z", nil),
                ("Europe/Berlin", "22:00", "08:00", "2027-03-27T23:00:00Z", "2027-03-28T06:00:00Z"),
                ("Europe/Berlin", "22:00", "02:30", "2027-03-27T21:30:17Z", "2027-03-28T01:00:00Z"),
                ("Europe/Berlin", "22:00", "02:30", "2027-03-28T00:50:00Z", "2027-03-28T01:00:00Z"),
                ("Europe/Berlin", "22:00", "02:30", "2027-03-28T01:00:00Z", nil),
                ("Europe/Berlin", "22:00", "02:30", "2027-10-31T00:15:00Z", "2027-10-31T00:30:00Z"),
                ("Europe/Berlin", "22:00", "02:30", "2027-10-31T00:30:00Z", nil),
                ("Europe/Berlin", "22:00", "02:30", "2027-10-31T01:15:00Z", "2027-10-31T01:30:00Z"),
                ("Europe/Berlin", "02:30", "08:00", "2027-10-31T00:40:00Z", "2027-10-31T01:00:00Z"),
                ("Australia/Lord_Howe", "22:00", "02:15", "2027-10-02T13:00:00Z", "2027-10-02T15:30:00Z"),
                ("Europe/Berlin", "22:00", "08:00", "2027-10-30T22:00:00Z", "2027-10-31T07:00:00Z"),
                ("Asia/Kolkata", "22:00", "08:00", "2027-01-15T16:30:00Z", "2027-01-16T02:30:00Z"),
                ("Pacific/Kiritimati", "22:00", "08:00", "2027-01-15T08:00:00Z", "2027-01-15T18:00:00Z"),
                ("Etc/GMT+12", "22:00", "08:00", "2027-01-15T10:00:00Z", "2027-01-15T20:00:00Z"),
            ] as [(String, String, String, String, String?)]
        )
        func quietUntil(_ zone: String, _ from: String, _ until: String, _ now: String, _ end: String?) async throws {
            try await withDatabase { database in
                let found = try await database.texts(
                    """
                    SELECT to_char(dispatcher.quiet_until('\(zone)', '\(from)', '\(until)', '\(now)') AT TIME ZONE 'UTC',
                                   'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                    WHERE dispatcher.quiet_until('\(zone)', '\(from)', '\(until)', '\(now)') IS NOT NULL
                    """
                )
                #expect(found == (end.map { [[$0]] } ?? []))
            }
        }

        @Test("in quiet hours a delivery waits by its device's clock, without an attempt, and comes when they are over")
        func defers() async throws {
            try await Stage.with { stage in
                _ = try await Self.set(stage, ["news", "--quiet", "22:00-08:00"])
                try await stage.register([
                    Device("asleep", user: "a", zone: Self.zone(at: 3)),
                    Device("awake", user: "b", zone: Self.zone(at: 15)),
                    Device("nowhere", user: "c"),
                ])
                try await stage.database.execute("UPDATE dispatcher.hub SET time_zone = '\(Self.zone(at: 23))'")
                let job = Self.job(["a", "b", "c"], #"{"class":"news"}"#)
                let silent = Self.job(["a"], #"{"class":"news"}"#, content: #"{"data":{"a":1}}"#)
                let urgent = Self.job(["a"], #"{"class":"news","priority":"high","ignoreQuietHours":true}"#)
                let usual = Self.job(["a"])
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job, silent, urgent, usual])
                    for free in [silent, urgent, usual] {
                        #expect(try await stage.finished(free).tally == ["audience": 1, "accepted": 1])
                    }
                    try await stage.expect(2, "SELECT count(*) FROM dashboard.retries_due WHERE reason = 'QuietHours'")
                    #expect(
                        try await Self.reasons(stage, job) == [
                            "asleep retrying QuietHours 0", "awake accepted 1", "nowhere retrying QuietHours 0",
                        ]
                    )
                    let tally = try await stage.status(job)?.tally
                    #expect(tally == ["audience": 3, "accepted": 1, "retrying": 2])
                    // Their ends are at 08:00 by their own clocks: in four to five hours, and in eight to nine.
                    let ends = try await stage.database.texts(
                        "SELECT to_char(due_at - now(), 'HH24') FROM dashboard.retries_due ORDER BY due_at"
                    ).compactMap { Int($0[0]) }
                    #expect(ends.count == 2 && (3...5).contains(ends[0]) && (7...9).contains(ends[1]), "\(ends)")
                    try await stage.database.execute(
                        """
                        UPDATE dispatcher.installation SET time_zone = '\(Self.zone(at: 12))';
                        UPDATE dispatcher.retry SET due_at = now();
                        """
                    )
                    #expect(try await stage.finished(job).tally == ["audience": 3, "accepted": 3])
                }
                #expect(try stage.witness.counts(of: job.id) == ["asleep": 1, "awake": 1, "nowhere": 1])
                #expect(try await stage.deliveries(job).allSatisfy { $0.attempts == 1 && !$0.isAmbiguous })
            }
        }

        @Test("what waits for the end of quiet hours expires in them, and is cancelled in them")
        func endsInQuietHours() async throws {
            try await Stage.with { stage in
                _ = try await Self.set(stage, ["default", "--quiet", "22:00-08:00"])
                try await stage.register([Device("asleep", user: "a", zone: Self.zone(at: 3))])
                let short = Self.job(["a"], #"{"ttlSeconds":2}"#)
                let long = Self.job(["a"])
                try await stage.withWorkers { () async throws in
                    try await stage.publish([short, long])
                    #expect(try await stage.finished(short).tally == ["audience": 1, "expired": 1])
                    try await stage.expect(1, "SELECT count(*) FROM dashboard.retries_due WHERE reason = 'QuietHours'")
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(#require(UUIDValue(long.id))))
                    #expect(try await stage.finished(long).tally == ["audience": 1, "cancelled": 1])
                }
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("dropped in quiet hours is suppressed with the reason")
        func drops() async throws {
            try await Stage.with { stage in
                let set = try await Self.set(stage, ["default", "--quiet", "22:00-08:00", "--quiet-action", "drop"])
                #expect(set == "default\tdefault\tquiet 22:00-08:00 drop\tcap off\n")
                try await stage.register([
                    Device("asleep", user: "a", zone: Self.zone(at: 3)),
                    Device("awake", user: "a", zone: Self.zone(at: 15)),
                ])
                let job = Self.job(["a"])
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 1, "suppressed": 1])
                }
                #expect(try await Self.reasons(stage, job) == ["asleep suppressed QuietHours 0", "awake accepted 1"])
            }
        }

        @Test("a cap for users counts notifications, not devices, and holds over parallel jobs and workers")
        func userCap() async throws {
            try await Stage.with { stage in
                _ = try await Self.set(stage, ["default", "--cap", "5/day per user"])
                try await stage.register([
                    Device("a1", user: "a"), Device("a2", user: "a"), Device("b1", user: "b"), Device("none"),
                ])
                let jobs = (0..<20).map { _ in Job(to: #"{"installations":["a1","a2","b1","none"]}"#) }
                let free = Self.job(["a"], #"{"priority":"high","ignoreCaps":true}"#)
                let silent = Self.job(["a"], content: #"{"data":{"a":1}}"#)
                try await stage.withWorkers(3) { () async throws in
                    // Every job twice, over three lanes and two ways: the same job again counts nothing.
                    for lane in Lane.allCases { try await stage.publish(jobs, lane: lane) }
                    for job in jobs { _ = try await stage.finished(job) }
                    try await stage.publish([free, silent])
                    #expect(try await stage.finished(free).tally == ["audience": 2, "accepted": 2])
                    #expect(try await stage.finished(silent).tally == ["audience": 2, "accepted": 2])
                }
                let counts = try await stage.database.texts(
                    """
                    SELECT installation_id, state || coalesce(' ' || reason, ''), count(*)::text FROM dashboard.deliveries
                    WHERE notification_id::text <> ALL ($1) GROUP BY 1, 2 ORDER BY 1, 2
                    """,
                    [.texts([free.id, silent.id])]
                )
                let expected = ["a1", "a2", "b1", "none"].flatMap {
                    [[$0, "accepted", "5"], [$0, "suppressed CapReached", "15"]]
                }
                #expect(counts == expected)
                // The devices of one user get the same notifications.
                let split = try await stage.database.count(
                    """
                    SELECT count(*) FROM (
                        SELECT FROM dashboard.deliveries WHERE user_id = 'a' GROUP BY notification_id HAVING count(DISTINCT state) > 1
                    ) s
                    """
                )
                #expect(split == 0)
            }
        }

        @Test("a cap for installations lets each have its own number, also through the batches of a large audience")
        func installationCap() async throws {
            try await Stage.with { stage in
                _ = try await Self.set(stage, ["default", "--cap", "2/1h per installation", "--cap", "3/day per user"])
                try await stage.registerCrowd(2_000)
                let jobs = (0..<4).map { _ in Job(to: #"{"tags":"crowd"}"#) }
                try await stage.withWorkers(2) { () async throws in
                    try await stage.publish(jobs)
                    for job in jobs { _ = try await stage.finished(job, within: .seconds(60)) }
                }
                let counts = try await stage.database.texts(
                    "SELECT state, count(*)::text FROM dashboard.deliveries GROUP BY 1 ORDER BY 1"
                )
                #expect(counts == [["accepted", "4000"], ["suppressed", "4000"]])
                let most = try await stage.database.count(
                    """
                    SELECT count(*) FROM (SELECT FROM dashboard.deliveries WHERE state = 'accepted'
                                          GROUP BY installation_id HAVING count(*) <> 2) w
                    """
                )
                #expect(most == 0)
            }
        }

        @Test("a retry counts once, and what is over the cap now is not when the time of the first is over")
        func retriesAndTime() async throws {
            try await Stage.with { stage in
                _ = try await Self.set(stage, ["default", "--cap", "1/1h per user"])
                try await stage.register([Device("slow", user: "a", channel: "retry2-1")])
                let first = Self.job(["a"])
                let second = Self.job(["a"])
                let third = Self.job(["a"])
                try await stage.withWorkers { () async throws in
                    try await stage.publish([first])
                    #expect(try await stage.finished(first).tally == ["audience": 1, "accepted": 1])
                    try await stage.publish([second])
                    #expect(try await stage.finished(second).tally == ["audience": 1, "suppressed": 1])
                    try await stage.database.execute(
                        "UPDATE dispatcher.cap_use SET used_at = ARRAY[now() - interval '61 minutes']"
                    )
                    try await stage.publish([third])
                    _ = try await stage.finished(third)
                }
                #expect(try await stage.deliveries(first).first?.attempts == 3)
                #expect(try await stage.deliveries(third).first?.state == "accepted")
                let uses = try await stage.database.texts("SELECT cardinality(used_at)::text FROM dispatcher.cap_use")
                #expect(uses == [["1"]])
            }
        }

        @Test("a batch that is asked for once more counts nothing, and several of one user are told apart")
        func idempotency() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, user_id)
                    SELECT h.id, 'i' || n, 1, 'ok-' || n, 'u' || n % 2 FROM dispatcher.hub h, generate_series(1, 4) n;
                    INSERT INTO dispatcher.notification_class (hub_id, name) SELECT id, 'default' FROM dispatcher.hub;
                    INSERT INTO dispatcher.notification_cap (class_id, period, most, per_user)
                    SELECT id, interval '1 day', 2, true FROM dispatcher.notification_class;
                    """
                )
                func refused(_ notifications: String, _ installations: String) async throws -> [String] {
                    try await database.texts(
                        """
                        SELECT p::text FROM dispatcher.take_caps(
                            '{\(notifications)}',
                            ARRAY(SELECT i.id FROM unnest('{\(installations)}'::text[]) WITH ORDINALITY AS n(name, at)
                                  JOIN dispatcher.installation i ON i.installation_id = n.name ORDER BY n.at),
                            array_fill((SELECT id FROM dispatcher.notification_class), ARRAY[cardinality('{\(notifications)}'::int8[])])
                        ) p ORDER BY 1
                        """
                    ).map { $0[0] }
                }
                #expect(try await refused("10,10,10,10", "i1,i2,i3,i4") == [])
                #expect(try await refused("10,10", "i1,i3") == [])
                #expect(try await refused("11,12,13,11,12,13", "i1,i1,i1,i3,i3,i3") == ["2", "3", "5", "6"])
                #expect(try await refused("11,12", "i3,i2") == [])
                #expect(try await refused("13,12", "i4,i4") == ["1"])
                #expect(try await refused("", "") == [])
            }
        }

        @Test(
            "a class that the hub does not have is refused by name, over AMQP and over HTTP, and counts once it is made"
        )
        func unknown() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("one", user: "a")])
                let job = Self.job(["a"], #"{"class":"news"}"#)
                let next = Self.job(["a"], #"{"class":"news"}"#)
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.withWorkers { () async throws in
                        try await stage.publish([job])
                        try await stage.expect(1, "SELECT count(*) FROM dispatcher.dead_letter")
                        #expect(await eventually { try await api.send("GET", "/ready").status == 200 })
                        let body = String(decoding: next.body, as: UTF8.self)
                        let refused = try await api.send("POST", "/api/jobs", body)
                        #expect(refused.status == 422 && refused.member("code") == "unknownClass", "\(refused.text)")
                        #expect(refused.member("path") == "$.options.class")
                        _ = try await Self.set(stage, ["news"])
                        #expect(try await api.send("POST", "/api/jobs", body).status == 202)
                        #expect(try await stage.finished(next).tally == ["audience": 1, "accepted": 1])
                    }
                }
                let letters = try await stage.database.texts("SELECT reason, path, hub FROM dashboard.dead_letters")
                #expect(letters == [["unknownClass", "$.options.class", "default"]])
            }
        }

        @Test("classes are set, listed and deleted from the command line, and what cannot be is refused")
        func commands() async throws {
            try await Stage.with { stage in
                func run(_ arguments: [String]) async throws -> (exit: Program.Exit?, output: String, errors: String) {
                    try await Program.run(["classes"] + arguments, environment: stage.environment())
                }
                let made = try await run([
                    "set", "default", "news", "--cap", "3/day per user", "--cap", "1/30m per installation", "--json",
                ])
                #expect(
                    made.output
                        == #"{"hub":"default","class":"news","quiet":null,"quietAction":"defer","caps":["3/1d per user","1/30m per installation"]}"#
                        + "\n",
                    "\(made.errors)"
                )
                let quiet = try await run(["set", "default", "news", "--quiet", "23:30-07:15"])
                let caps = "cap 3/1d per user\tcap 1/30m per installation\n"
                #expect(quiet.output == "default\tnews\tquiet 23:30-07:15 defer\t\(caps)")
                let off = try await run(["set", "default", "news", "--quiet", "off", "--cap", "off"])
                #expect(off.output == "default\tnews\tquiet off\tcap off\n")
                #expect(try await run(["list"]).output == off.output)
                #expect(try await run(["list", "other"]).output == "")
                for (arguments, status) in [
                    (["set", "none", "news"], 1), (["set", "default", "a b"], 64), (["set", "default"], 64),
                    (["set", "default", "x", "--quiet", "22-08"], 64),
                    (["set", "default", "x", "--quiet", "24:00-08:00"], 64),
                    (["set", "default", "x", "--quiet", "08:00-08:00"], 64),
                    (["set", "default", "x", "--cap", "3/day"], 64),
                    (["set", "default", "x", "--cap", "0/day per user"], 64),
                    (["set", "default", "x", "--cap", "1/32d per user"], 64),
                    (["set", "default", "x", "--cap", "1/1d per user", "--cap", "2/day per user"], 64),
                    (["set", "default", "x", "--quiet-action", "wait"], 64), (["delete", "default", "x"], 1),
                ] as [([String], Int32)] {
                    let refused = try await run(arguments)
                    #expect(refused.exit == .status(status), "\(arguments): \(refused.errors)")
                }
                #expect(try await run(["delete", "default", "news"]).exit == .status(0))
                #expect(try await run(["list"]).output == "")
            }
        }
    }
}
