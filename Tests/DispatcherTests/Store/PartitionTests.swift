import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct PartitionTests {
    private static let parents = ["delivery", "progress", "outcome_count", "receipt", "reading"]

    /// The days of a table's partitions, counted from today.
    private func days(_ parent: String, _ database: TestDatabase) async throws -> [Int] {
        try await database.texts(
            """
            SELECT (to_date(right(c.relname, 8), 'YYYYMMDD') - (now() AT TIME ZONE 'UTC')::date)::text
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'dispatcher.\(parent)'::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY c.relname
            """
        ).compactMap { Int($0[0]) }
    }

    @Test("partitions are there from yesterday to a week ahead, and calling again changes nothing")
    func ahead() async throws {
        try await withDatabase { database in
            for _ in 0..<2 {
                for parent in Self.parents { #expect(try await days(parent, database) == Array(-1...7)) }
                try await WorkerStore(pool: database.pool).maintainPartitions(retentionDays: 30)
            }
        }
    }

    @Test("days older than the retention are dropped with their rows, younger ones stay")
    func retention() async throws {
        try await withDatabase { database in
            for age in [20, 11, 10, 9] {
                try await database.execute(
                    """
                    SELECT dispatcher.create_day_partition('delivery', d, dispatcher.first_notification_id(d)::text,
                                                           dispatcher.first_notification_id(d + 1)::text)
                    FROM (SELECT (now() AT TIME ZONE 'UTC')::date - \(age) AS d) days;
                    INSERT INTO dispatcher.delivery
                        (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
                    SELECT dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - \(age)), 1, now(), now(), 2, 1, 1
                    """
                )
            }
            #expect(try await database.count("SELECT count(*) FROM dispatcher.delivery_default") == 0)
            try await WorkerStore(pool: database.pool).maintainPartitions(retentionDays: 10)
            #expect(try await days("delivery", database) == [-10, -9] + Array(-1...7))
            #expect(try await database.count("SELECT count(*) FROM dispatcher.delivery") == 2)
        }
    }

    @Test("workers that maintain at the same moment do not disturb each other")
    func together() async throws {
        try await withDatabase { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await WorkerStore(pool: database.pool).maintainPartitions(retentionDays: 1) }
                }
                try await group.waitForAll()
            }
            #expect(try await days("delivery", database) == Array(-1...7))
        }
    }

    /// A notification of that many days ago; answers its number.
    private static func notification(_ age: Int, _ database: TestDatabase) async throws -> Int {
        let id = try await database.count(
            "SELECT dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - \(age)) + 7"
        )
        try await database.execute(
            """
            INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, lane, target, body)
            SELECT \(id), now() + interval '1 day', gen_random_uuid(), h.id, 1, 'test', '{}' FROM dispatcher.hub h
            """
        )
        return id
    }

    @Test("notifications and dead letters older than the retention are removed, others stay")
    func removal() async throws {
        try await withDatabase { database in
            for age in [40, 11, 10, 0] { _ = try await Self.notification(age, database) }
            try await database.execute(
                """
                INSERT INTO dispatcher.dead_letter (received_at, byte_count, queue, reason, detail, fingerprint, body)
                SELECT now() - n * interval '1 day', 0, 'q', 'r', 'd', n::text::bytea, '' FROM unnest(ARRAY[11, 9]) n
                """
            )
            let hasMore = try await WorkerStore(pool: database.pool).removeOld(retentionDays: 10)
            #expect(!hasMore)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.notification") == 2)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.dead_letter") == 1)
        }
    }

    @Test("an old notification that still waits for its time stays, and holds up the removal of no other")
    func removalOfScheduled() async throws {
        try await withDatabase { database in
            let waiting = try await Self.notification(40, database)
            _ = try await Self.notification(39, database)
            try await database.execute(
                "INSERT INTO dispatcher.plan (notification_id, due_at) VALUES (\(waiting), now() + interval '1 day')"
            )
            _ = try await WorkerStore(pool: database.pool).removeOld(retentionDays: 10)
            #expect(try await database.count("SELECT coalesce(sum(id), 0) FROM dispatcher.notification") == waiting)
        }
    }
}
