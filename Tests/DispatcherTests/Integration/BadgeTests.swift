import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Badges that count what is unread (S7), and what becomes of inboxes besides being read (S6, S8).
    @Suite(.timeLimit(.minutes(4))) struct BadgeTests {
        private static let badge = #"{"title":"Hi","badge":"unread"}"#

        private static func due(_ stage: Stage) async throws {
            try await stage.database.execute("UPDATE dispatcher.badge_sync SET due_at = now()")
            try await BadgeSyncStore(pool: stage.database.pool).queueDue()
        }

        /// The jobs of the hub's own that wait for the broker.
        private static func ownJobs(_ stage: Stage) async throws -> [SendJob] {
            try await stage.database.texts(
                "SELECT job_id::text, convert_from(body, 'UTF8') FROM dispatcher.outbox WHERE event IS NULL ORDER BY id"
            ).map { try SendJob(decoding: Array($0[1].utf8), messageID: $0[0]) }
        }

        @Test("the badge is what each user has not read, this one included, on all of the user's devices")
        func counts() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("a1", user: "alice", tags: ["all"]), Device("a2", user: "alice", tags: ["all"]),
                    Device("b1", user: "bob", tags: ["all"]), Device("x1", tags: ["all"]),
                ])
                let jobs = [
                    Job(to: #"{"users":["alice"]}"#, content: Self.badge),
                    Job(to: #"{"tags":"all"}"#, content: Self.badge),
                    Job(to: #"{"tags":"all"}"#, content: Self.badge, options: #"{"inbox":false}"#),
                    Job(to: #"{"broadcast":true}"#, content: Self.badge),
                    Job(to: #"{"tags":"all"}"#, content: #"{"badge":"unread"}"#),
                ]
                try await stage.withWorkers {
                    for job in jobs.prefix(3) {
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                    }
                    let receipts = ["a1", "a2"].map { ReceiptBody("read", of: jobs[0], on: $0).json }
                    try await stage.publish(receipts, to: .receipts)
                    try await stage.expect(1, "SELECT count(*) FROM dispatcher.inbox WHERE read_at IS NOT NULL")
                    for job in jobs.suffix(2) {
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                    }
                    #expect(try await stage.status(jobs[4])?.tally == ["audience": 4, "accepted": 3, "suppressed": 1])
                }
                #expect(try stage.badges(jobs[0]) == ["a1": 1, "a2": 1])
                #expect(try stage.badges(jobs[1]) == ["a1": 2, "a2": 2, "b1": 1])
                // Not kept, so not counted.
                #expect(try stage.badges(jobs[2]) == ["a1": 2, "a2": 2, "b1": 1])
                #expect(try stage.badges(jobs[3]) == ["a1": 2, "a2": 2, "b1": 2])
                #expect(try stage.badges(jobs[4]) == ["a1": 2, "a2": 2, "b1": 2])
                let reason = "SELECT reason FROM dashboard.deliveries WHERE state = 'suppressed'"
                #expect(try await stage.database.texts(reason) == [["NoUser"]])
            }
        }

        @Test("badges are right while their users read: each is a count that was committed when it was sent")
        func concurrentReads() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("a1", user: "alice")])
                let jobs = (0..<40).map { _ in Job(to: #"{"users":["alice"]}"#, content: Self.badge) }
                try await stage.withWorkers(2) {
                    for (index, job) in jobs.enumerated() {
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                        // The one before is read while the next is on its way.
                        if index > 0 {
                            try await stage.publish(
                                [ReceiptBody("read", of: jobs[index - 1], on: "a1").json],
                                to: .receipts
                            )
                        }
                    }
                    try await stage.expect(39, "SELECT count(*) FROM dispatcher.inbox WHERE read_at IS NOT NULL")
                }
                // At most this one, the one before, whose read may be on its way, and those whose reads are behind it.
                let badges = try jobs.map { try stage.badges($0)["a1"] ?? 0 }
                #expect(badges.allSatisfy { (1...jobs.count).contains($0) } && badges.last ?? 0 < jobs.count)
                #expect(try await stage.unread("alice") == 1)
            }
        }

        @Test("a read changes the badges of the user's other devices, once however much is read")
        func sync() async throws {
            try await Stage.with { stage in
                try await stage.database.execute("UPDATE dispatcher.hub SET keeps_inbox = true, syncs_badge = true")
                try await stage.register([
                    Device("a1", user: "alice"), Device("a2", user: "alice"),
                    Device("a3", user: "alice", permission: "denied"),
                    Device("b1", user: "bob"),
                ])
                let jobs = (0..<20).map { _ in Job(to: #"{"users":["alice","bob"]}"#) }
                try await stage.withWorkers {
                    try await stage.publish(jobs)
                    for job in jobs { _ = try await stage.finished(job) }
                }
                let intake = ReceiptIntake(pool: stage.database.pool, told: EventChoice([]))
                func read(_ jobs: some Sequence<Job>, on device: String) async throws {
                    let reports = try jobs.map { job in
                        let body = ReceiptBody("read", of: job, on: device).json
                        return ReceiptIntake.Report(hub: 1, receipt: try Receipt(decoding: Array(body.utf8)))
                    }
                    _ = try await intake.take(reports)
                }
                for job in jobs.prefix(10) { try await read([job], on: "a1") }
                // Bob has no other device.
                try await read(jobs, on: "b1")
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.badge_sync") == 2)
                try await BadgeSyncStore(pool: stage.database.pool).queueDue()
                #expect(try await Self.ownJobs(stage).isEmpty)
                try await Self.due(stage)
                let own = try await Self.ownJobs(stage)
                try #require(own.count == 1)
                #expect(
                    own[0].audience == .installations(["a2"]) && own[0].content == .neutral(Content(badge: .unread))
                )
                #expect(own[0].options.keepsInbox == false && own[0].options.collapseKey == "unread")
                try own[0].checkSendable(now: Timestamp(seconds: 1_800_000_000))
                // Read on both: both have something to learn.
                try await read(jobs[10..<12], on: "a1")
                try await read(jobs[12..<14], on: "a2")
                try await Self.due(stage)
                let last = try #require(try await Self.ownJobs(stage).last)
                #expect(
                    last.audience == .installations(["a1", "a2"]) || last.audience == .installations(["a2", "a1"])
                )
                // What is not new changes nothing.
                try await read(jobs.prefix(3), on: "a2")
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.badge_sync") == 0)
            }
        }

        @Test(
            "after a read the other device gets a push with the new badge and nothing else, by the worker's own rights"
        )
        func told() async throws {
            try await Stage.with { stage in
                try await stage.database.execute("UPDATE dispatcher.hub SET keeps_inbox = true, syncs_badge = true")
                try await stage.register([Device("a1", user: "alice"), Device("a2", user: "alice")])
                let jobs = (0..<3).map { _ in Job(to: #"{"users":["alice"]}"#) }
                let url = "\(stage.database.url)?options=-c%20role%3Ddispatcher_worker"
                try await stage.withWorkers(1, ["DISPATCHER_DATABASE_URL": url]) {
                    try await stage.publish(jobs)
                    for job in jobs { _ = try await stage.finished(job) }
                    let reads = jobs.prefix(2).map { ReceiptBody("read", of: $0, on: "a1").json }
                    try await stage.publish(reads, to: .receipts)
                    try await stage.expect(4, "SELECT count(*) FROM dashboard.notifications WHERE state = 'completed'")
                }
                let others = "SELECT id::text FROM dashboard.notifications WHERE NOT id = ANY ($1::uuid[])"
                let ids = try jobs.map { try #require(UUIDValue($0.id)) }.map { ($0.high, $0.low) }
                let own = try await stage.database.texts(others, [.uuids(ids)])
                try #require(own.count == 1)
                let payloads = try stage.witness.payloads(of: own[0][0])
                #expect(payloads.keys.sorted() == ["a2"])
                #expect(payloads["a2"]?["aps"] == (try JSONParser.parse(Array(#"{"badge":1}"#.utf8))))
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.inbox") == 3)
            }
        }

        @Test(
            "a denied device is suppressed and a provisional one is told quietly, and both users have it in the inbox"
        )
        func permission() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("a1", user: "alice", permission: "denied"),
                    Device("b1", user: "bob", permission: "provisional"),
                ])
                let job = Job(
                    to: #"{"users":["alice","bob"]}"#,
                    content: #"{"title":"Hi","thread":"t"}"#,
                    options: #"{"inbox":true}"#
                )
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 1, "suppressed": 1])
                }
                #expect(try await stage.unread("alice", thread: "t") == 1)
                #expect(try await stage.unread("bob", thread: "t") == 1)
                #expect(try await stage.unread("bob", thread: "other") == 0)
            }
        }

        @Test("what is cancelled leaves the inboxes, of a small audience at once and of a large one in steps")
        func cancelled() async throws {
            try await Stage.with { stage in
                try await stage.registerUsers(1500, devices: 1)
                try await stage.register([Device("slow", user: "alice", channel: "after3-1")])
                let small = Job(to: #"{"users":["alice"]}"#, options: #"{"inbox":true}"#)
                let large = Job(to: #"{"broadcast":true}"#, options: #"{"inbox":true}"#)
                let kept = Job(to: #"{"users":["alice"]}"#, options: #"{"inbox":true}"#)
                let url = "\(stage.database.url)?options=-c%20role%3Ddispatcher_worker"
                try await stage.withWorkers(1, ["DISPATCHER_DATABASE_URL": url]) {
                    try await stage.publish([kept, small, large])
                    try await stage.expect(1503, "SELECT count(*) FROM dispatcher.inbox")
                    for job in [small, large] {
                        let id = try #require(UUIDValue(job.id))
                        _ = try await StatusStore(pool: stage.database.pool).cancel(id)
                    }
                    #expect(try await stage.inboxes(small) == [])
                    try await stage.expect(1, "SELECT count(*) FROM dispatcher.inbox")
                    try await stage.expect(0, "SELECT count(*) FROM dispatcher.withdrawal")
                }
                #expect(try await stage.unread("alice") == 1)
            }
        }

        @Test("rows older than the retention go step by step, and no younger one with them")
        func retention() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.inbox (hub_id, user_id, notification_id)
                    SELECT 1, 'u' || n, dispatcher.first_notification_id(
                        (now() AT TIME ZONE 'UTC')::date - CASE WHEN n <= 12000 THEN 31 ELSE 29 END) + n
                    FROM generate_series(1, 12500) n
                    """
                )
                let keeper = InboxKeeper(pool: database.pool)
                #expect(try await keeper.removeOld(retentionDays: 30))
                #expect(try await database.count("SELECT count(*) FROM dispatcher.inbox") == 7500)
                while try await keeper.removeOld(retentionDays: 30) {}
                #expect(try await database.count("SELECT count(*) FROM dispatcher.inbox") == 500)
            }
        }
    }
}
