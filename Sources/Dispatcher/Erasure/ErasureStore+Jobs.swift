import DispatchCore
import Postgres

/// The stored jobs that may be for erased people.
extension ErasureStore {
    /// A stored job.
    struct StoredJob: Sendable {
        let key: Int64
        let hub: Int32
        let id: UUIDValue
        let createdAt: Timestamp
        let body: [UInt8]
    }

    /// Notifications looked through by one statement.
    private static let window = 5_000

    /// The notifications of a window that may name erased people by what their targets say, and where the window ends; nil
    /// behind the last one.
    func notifications(after key: Int64, of orders: [ErasureOrder]) async throws -> (jobs: [StoredJob], last: Int64)? {
        let names = orders.flatMap { order in
            [Audience.users([order.user]).summary] + order.devices.map { Audience.installations([$0]).summary }
        }
        let statement = PostgresStatement(
            """
            WITH last AS (
                SELECT max(id) AS id FROM (SELECT id FROM dispatcher.notification WHERE id > $1 ORDER BY id LIMIT $2) w
            )
            SELECT last.id, n.id, n.hub_id, n.job_id, n.created_at, n.body
            FROM last
            LEFT JOIN dispatcher.notification n
              ON n.id > $1 AND n.id <= last.id AND n.hub_id = ANY ($3) AND octet_length(n.body) > 0
              AND (n.target = ANY ($4) OR n.target ~ '^(users|installations): [0-9]+$' OR n.target LIKE 'channels: %'
                   OR n.target LIKE 'tags: %' AND (length(n.target) > 200 OR EXISTS (
                       SELECT FROM unnest($5::text[]) AS name WHERE position(name IN n.target) > 0)))
            ORDER BY n.id
            """,
            [
                .int8(key), .int8(Int64(Self.window)), orders.hubs, .texts(names),
                .texts(orders.map(\.user) + orders.flatMap(\.devices)),
            ]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            guard rows.count > 0, let last = try rows.int8OrNull(0, 0) else { return nil }
            var jobs: [StoredJob] = []
            for row in 0..<rows.count where try !rows.isNull(row, 1) { jobs.append(try StoredJob(rows, row, from: 1)) }
            return (jobs, last)
        }
    }

    /// Empties or rewrites notifications.
    ///
    /// What is left of one in flight is cancelled: its devices are gone anyway.
    func rewrite(_ changed: [(key: Int64, body: [UInt8], target: String)]) async throws {
        try await execute(
            """
            WITH changed AS (
                SELECT * FROM unnest($1::int8[], $2::bytea[], $3::text[]) AS c(id, body, target)
            ),
            plans AS (
                DELETE FROM dispatcher.plan p USING changed c
                WHERE p.notification_id = c.id AND octet_length(c.body) = 0
                RETURNING p.notification_id AS id
            ),
            contents AS (
                DELETE FROM dispatcher.content k USING changed c
                JOIN dispatcher.notification o ON o.id = c.id
                WHERE octet_length(c.body) = 0 AND k.job_id = o.job_id AND k.hub_id = o.hub_id
            ),
            -- An upload is its notification's by the digest of the body; the others still fetch it.
            kept AS (
                UPDATE dispatcher.content k SET job_hash = sha256(c.body) FROM changed c
                JOIN dispatcher.notification o ON o.id = c.id
                WHERE octet_length(c.body) > 0 AND k.job_id = o.job_id AND k.hub_id = o.hub_id
                  AND k.job_hash = sha256(o.body)
            )
            UPDATE dispatcher.notification n
            SET body = c.body, target = c.target, erased_at = clock_timestamp(),
                cancelled_at = CASE WHEN n.cancelled_at IS NULL AND octet_length(c.body) = 0
                                         AND (EXISTS (SELECT FROM plans WHERE plans.id = n.id)
                                              OR EXISTS (SELECT FROM dispatcher.retry r WHERE r.notification_id = n.id)
                                              OR EXISTS (SELECT FROM dispatcher.batch b
                                                         WHERE n.id = ANY (b.notification_ids)))
                                    THEN clock_timestamp() ELSE n.cancelled_at END
            FROM changed c
            WHERE n.id = c.id
            """,
            [.int8s(changed.map(\.key)), .byteas(changed.map(\.body)), .texts(changed.map(\.target))]
        )
    }

    /// The hub's own jobs that wait to be published.
    func waitingJobs(of orders: [ErasureOrder]) async throws -> [StoredJob] {
        let statement = PostgresStatement(
            """
            SELECT id, hub_id, job_id, created_at, body FROM dispatcher.outbox
            WHERE event IS NULL AND hub_id = ANY ($1)
            """,
            [orders.hubs]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var jobs: [StoredJob] = []
            for row in 0..<rows.count { jobs.append(try StoredJob(rows, row, from: 0)) }
            return jobs
        }
    }

    func removeWaitingJobs(_ keys: [Int64]) async throws {
        try await execute("DELETE FROM dispatcher.outbox WHERE id = ANY ($1)", [.int8s(keys)])
    }

    /// Adds to the counts of the erasures.
    func count(_ column: String, _ orders: [ErasureOrder]) async throws {
        guard !orders.isEmpty else { return }
        try await execute(
            """
            UPDATE dispatcher.erasure e SET \(column) = e.\(column) + c.count
            FROM (SELECT id, count(*) FROM unnest($1::uuid[]) AS id GROUP BY 1) c
            WHERE e.id = c.id
            """,
            [orders.ids]
        )
    }
}

extension ErasureStore.StoredJob {
    fileprivate init(_ rows: PostgresRows, _ row: Int, from column: Int) throws(PostgresError) {
        key = try rows.int8(row, column)
        hub = try rows.int4(row, column + 1)
        let job = try rows.uuid(row, column + 2)
        id = UUIDValue(high: job.high, low: job.low)
        createdAt = Timestamp(microseconds: try rows.timestamp(row, column + 3))
        body = try rows.bytes(row, column + 4)
    }
}
