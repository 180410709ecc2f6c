import DispatchCore
import Testing

@testable import Dispatcher

@Suite("Retries that are taken up", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(4)))
struct RetryStoreTests {
    /// Retries of notification 1 for the installations of a range, due a while ago or later, parked or not.
    private static func add(
        _ database: TestDatabase,
        _ installations: ClosedRange<Int>,
        lane: Int = 1,
        due: String = "-1 second",
        parked: String? = nil,
        key: String = "1, 1, 'a.b', false"
    ) async throws {
        let since = parked.map { "now() + interval '\($0)'" } ?? "NULL"
        try await database.execute(
            """
            INSERT INTO dispatcher.retry (notification_id, installation_id, due_at, attempt, lane,
                                          parked_at, parked_hub, parked_platform, parked_target, parked_sandbox)
            SELECT 1, n, now() + interval '\(due)', 2, \(lane), \(since), \(key)
            FROM generate_series(\(installations.lowerBound), \(installations.upperBound)) n
            """
        )
    }

    private static func pause(_ database: TestDatabase, until: String, closed: String?) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.channel_pause
                (hub_id, platform, target, cause, reason, until, worker_id, restore_since, closed_at)
            VALUES (1, 1, 'a.b', 'refused', 'x', now() + interval '\(until)', 1, now(),
                    \(closed.map { "now() + interval '\($0)'" } ?? "NULL"))
            """
        )
    }

    private static func store(_ database: TestDatabase) -> ScheduleStore {
        ScheduleStore(pool: database.pool, worker: 1)
    }

    /// The installations in the batches that were formed, lane by lane.
    private static func batched(_ database: TestDatabase, lane: Int = 1) async throws -> [Int] {
        try await database.texts(
            "SELECT i::text FROM dispatcher.batch, unnest(installation_ids) i WHERE lane = \(lane)"
        ).compactMap { Int($0[0]) }.sorted()
    }

    @Test("no more than asked for are taken, the longest due first, with their notification and attempt")
    func limit() async throws {
        try await withDatabase { database in
            try await Self.add(database, 1...5)
            try await Self.add(database, 6...9, due: "-2 seconds")
            try await Self.add(database, 10...12, due: "1 minute")
            let store = Self.store(database)
            #expect(try await store.takeDueRetries(0).isEmpty)
            #expect(try await store.takeDueRetries(4).map(\.batch.size) == [4])
            #expect(try await Self.batched(database) == [6, 7, 8, 9])
            #expect(try await store.takeDueRetries(100).map(\.batch.size) == [5])
            #expect(try await store.takeDueRetries(100).isEmpty)
            let rows = try await database.texts(
                "SELECT notification_ids::text, audience_sizes::text, attempts::text FROM dispatcher.batch ORDER BY id LIMIT 1"
            )
            #expect(rows == [["{1}", "{4}", "{2,2,2,2}"]])
        }
    }

    @Test("urgent ones come first, then normal, then bulk, and batches keep to their lane's size")
    func lanes() async throws {
        try await withDatabase { database in
            for lane in 0...2 { try await Self.add(database, (lane * 1_000 + 1)...(lane * 1_000 + 900), lane: lane) }
            let taken = try await Self.store(database).takeDueRetries(2_000)
            for lane in Lane.allCases {
                let sizes = taken.filter { $0.lane == lane }.map(\.batch.size)
                #expect(sizes.allSatisfy { $0 <= LaneProfile.of(lane).batchLimit })
                #expect(sizes.reduce(0, +) == [900, 900, 200][Int(lane.rawValue)], "\(lane)")
            }
        }
    }

    @Test("what is parked and due leaves three quarters to the others, and takes what they leave")
    func parkedLast() async throws {
        try await withDatabase { database in
            try await Self.add(database, 1...1_000, due: "-1 hour", parked: "-2 hours")
            try await Self.add(database, 2_001...2_090)
            _ = try await Self.store(database).takeDueRetries(100)
            let first = try await Self.batched(database)
            #expect(first.count == 100 && first.count { $0 > 2_000 } == 75)
            _ = try await Self.store(database).takeDueRetries(100)
            let second = try await Self.batched(database)
            #expect(second.count == 200 && second.count { $0 > 2_000 } == 90)
        }
    }

    @Test("a channel that is resumed brings forward what was parked for it before, at the pace of the others")
    func resumed() async throws {
        try await withDatabase { database in
            try await Self.add(database, 1...10, due: "5 minutes", parked: "-1 minute")
            try await Self.add(database, 11...20, due: "5 minutes", parked: "-1 minute", key: "1, 1, 'a.b', true")
            try await Self.add(database, 21...30, due: "5 minutes", parked: "-1 minute", key: "2, 1, 'a.b', false")
            try await Self.add(database, 31...40, due: "5 minutes", parked: "1 minute")
            try await Self.add(database, 41...50, due: "5 minutes")
            #expect(try await Self.store(database).takeDueRetries(100).isEmpty)
            try await Self.pause(database, until: "-1 minute", closed: "-10 seconds")
            #expect(try await Self.store(database).takeDueRetries(6).map(\.batch.size) == [6])
            #expect(try await Self.store(database).takeDueRetries(100).map(\.batch.size) == [4])
            #expect(try await Self.batched(database) == Array(1...10))
        }
    }

    @Test("a stopped channel whose pause is over gets a few to be tried with, one that is not over none")
    func probes() async throws {
        try await withDatabase { database in
            try await Self.add(database, 1...10, due: "5 minutes", parked: "-2 minutes")
            try await Self.pause(database, until: "1 minute", closed: nil)
            #expect(try await Self.store(database).takeDueRetries(100).isEmpty)
            try await database.execute("UPDATE dispatcher.channel_pause SET until = now() - interval '1 minute'")
            #expect(try await Self.store(database).takeDueRetries(100).map(\.batch.size) == [3])
        }
    }

    /// The notification of `add`, with so many deliveries.
    private static func notification(_ database: TestDatabase, audience: Int) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
            VALUES (1, now() + interval '1 day', gen_random_uuid(), (SELECT id FROM dispatcher.hub), \(audience), 1, 'x', '')
            """
        )
    }

    @Test("what waits of a cancelled notification is taken whenever it is due, each once, until all of it has ended")
    func cancelled() async throws {
        try await withDatabase { database in
            try await Self.notification(database, audience: 900)
            try await Self.add(database, 1...400, due: "3 days")
            try await Self.add(database, 401...500, due: "1 hour", parked: "-1 minute")
            let store = Self.store(database)
            #expect(try await store.takeCancelledRetries(10_000).isEmpty)
            try await database.execute("UPDATE dispatcher.notification SET cancelled_at = now()")
            #expect(try await store.takeCancelledRetries(300).map(\.batch.size).reduce(0, +) == 300)
            #expect(try await store.takeCancelledRetries(300).map(\.batch.size).reduce(0, +) == 200)
            #expect(try await Self.batched(database) == Array(1...500))
            // Somebody who was sending when it was cancelled writes the rest now.
            try await Self.add(database, 501...900, due: "3 days")
            try await database.execute("UPDATE dispatcher.ending SET look_at = now()")
            #expect(try await store.takeCancelledRetries(10_000).map(\.batch.size).reduce(0, +) == 400)
            #expect(try await store.takeCancelledRetries(10_000).isEmpty)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.ending") == 1)
            try await database.execute(
                """
                INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state) VALUES (1, now(), 900, 6);
                UPDATE dispatcher.ending SET look_at = now();
                """
            )
            #expect(try await store.takeCancelledRetries(10_000).isEmpty)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.ending") == 0)
        }
    }

    @Test("of workers that end the same notification at once each retry is taken by exactly one, also beside the pace")
    func cancelledTogether() async throws {
        try await withDatabase { database in
            try await Self.notification(database, audience: 5_000)
            try await Self.add(database, 1...5_000)
            try await database.execute("UPDATE dispatcher.notification SET cancelled_at = now()")
            try await withThrowingTaskGroup { group in
                for worker in 0..<4 {
                    group.addTask {
                        var left = 1
                        while left > 0 {
                            let store = Self.store(database)
                            _ = try await worker == 0 ? store.takeDueRetries(200) : store.takeCancelledRetries(300)
                            left = try await database.count("SELECT count(*) FROM dispatcher.retry")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.batched(database) == Array(1...5_000))
        }
    }

    @Test("of workers that ask at once each retry is taken by exactly one")
    func together() async throws {
        try await withDatabase { database in
            try await Self.add(database, 1...5_000)
            try await Self.add(database, 5_001...6_000, due: "5 minutes", parked: "-1 minute")
            try await Self.pause(database, until: "-1 minute", closed: "-10 seconds")
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        var left = 1
                        while left > 0 {
                            _ = try await Self.store(database).takeDueRetries(400)
                            left = try await database.count("SELECT count(*) FROM dispatcher.retry")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.batched(database) == Array(1...6_000))
            #expect(try await database.count("SELECT count(*) FROM dispatcher.retry") == 0)
        }
    }
}
