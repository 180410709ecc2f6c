import DispatchCore
import Postgres

/// This worker's own row: its lease, by which others know that it is alive.
struct WorkerStore: Sendable {
    let pool: PostgresPool

    /// A worker that has not renewed its lease for this long is gone: five heartbeats, so that one slow commit is not.
    static let lease = Duration.seconds(15)
    static let heartbeat = Duration.seconds(3)

    /// Enters the worker; answers its number.
    func register(host: String, process: Int32, version: String) async throws -> Int64 {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.worker (lease_until, host, process, version)
            VALUES (clock_timestamp() + $1::int8 * interval '1 microsecond', $2, $3, $4)
            RETURNING id
            """,
            [.int8(Self.lease.microseconds), .text(host), .int4(process), .text(version)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).int8(0, 0)
        }
    }

    /// Renews the lease and answers the database's time.
    ///
    /// A worker that was taken for dead enters again: its old batches are lost to it, new ones are not.
    func renew(_ worker: WorkerHeartbeat) async throws -> Timestamp {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.worker AS w (id, lease_until, host, process, version, jobs, deliveries, state)
            OVERRIDING SYSTEM VALUE
            VALUES ($1, clock_timestamp() + $2::int8 * interval '1 microsecond', $3, $4, $5, $6, $7, $8)
            ON CONFLICT (id) DO UPDATE
            SET heartbeat_at = clock_timestamp(), lease_until = EXCLUDED.lease_until,
                jobs = EXCLUDED.jobs, deliveries = EXCLUDED.deliveries, state = EXCLUDED.state
            RETURNING clock_timestamp()
            """,
            [
                .int8(worker.id), .int8(Self.lease.microseconds), .text(worker.host), .int4(worker.process),
                .text(worker.version), .int8(worker.jobs), .int8(worker.deliveries), .text(worker.state),
            ]
        )
        return try await pool.withSession { session throws(PostgresError) in
            Timestamp(microseconds: try session.execute(statement).timestamp(0, 0))
        }
    }

    /// Leaves: what is still begun goes to others at once, ambiguous, instead of after the lease.
    func leave(_ worker: Int64) async throws {
        try await pool.withSession { session throws(PostgresError) in
            _ = try session.pipeline([
                PostgresStatement(
                    """
                    UPDATE dispatcher.batch
                    SET worker_id = NULL, epoch = epoch + 1, is_ambiguous = true, published_at = NULL,
                        is_alone = false, created_at = created_at - interval '1 minute'
                    WHERE worker_id = $1
                    """,
                    [.int8(worker)]
                ),
                PostgresStatement(
                    "UPDATE dispatcher.plan SET worker_id = NULL, epoch = epoch + 1 WHERE worker_id = $1",
                    [.int8(worker)]
                ),
                PostgresStatement("DELETE FROM dispatcher.worker WHERE id = $1", [.int8(worker)]),
            ])
        }
    }

    /// Removes the rows of workers that died a while ago; dashboards have shown them as lost by then.
    func forgetLost() async throws {
        let statement = PostgresStatement(
            "DELETE FROM dispatcher.worker WHERE lease_until < clock_timestamp() - interval '1 hour'"
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Rows removed by one statement, so that none holds its locks for long.
    private static let cleaningStep = 5_000

    /// Contents removed by one statement: each may have 10 MiB.
    private static let contentStep = 100

    /// Removes contents whose notification is gone or was never sent; answers whether there may be more.
    ///
    /// A job that was published may wait in the broker for as long as notifications are kept. One that nobody has heard of
    /// for a day will not come: its publish failed.
    func removeOldContents(retentionDays: Int) async throws -> Bool {
        let old = Self.contentRemoval("c.created_at < now() - $1 * interval '1 day'", days: retentionDays)
        let unknown = Self.contentRemoval(
            "c.published_at IS NULL AND c.created_at < now() - $1 * interval '1 day'",
            days: 1
        )
        return try await pool.withSession { session throws(PostgresError) in
            let counts = [try session.execute(old).affected, try session.execute(unknown).affected]
            return counts.contains(Self.contentStep)
        }
    }

    private static func contentRemoval(_ condition: String, days: Int) -> PostgresStatement {
        PostgresStatement(
            """
            DELETE FROM dispatcher.content WHERE id IN (
                SELECT c.id FROM dispatcher.content c
                WHERE \(condition)
                  AND NOT EXISTS (
                      SELECT FROM dispatcher.notification n WHERE n.job_id = c.job_id AND n.hub_id = c.hub_id)
                ORDER BY c.created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            [.int4(Int32(clamping: days)), .int8(Int64(contentStep))]
        )
    }

    /// Removes registrations that have expired so long ago; answers whether there may be more.
    func removeExpired(retentionDays: Int) async throws -> Bool {
        let statement = PostgresStatement(
            """
            DELETE FROM dispatcher.installation WHERE id IN (
                SELECT i.id FROM dispatcher.installation i
                WHERE i.expires_at < now() - $1::int4 * interval '1 day'
                ORDER BY i.expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            [.int4(Int32(clamping: retentionDays)), .int8(Int64(Self.cleaningStep))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected == Self.cleaningStep
        }
    }

    /// Removes notifications and dead letters older than the retention; answers whether there may be more.
    ///
    /// A notification that still waits for its time stays, however old it is.
    func removeOld(retentionDays: Int) async throws -> Bool {
        let days = Int32(clamping: retentionDays)
        let notifications = PostgresStatement(
            """
            DELETE FROM dispatcher.notification WHERE id IN (
                SELECT n.id FROM dispatcher.notification n
                WHERE n.id < dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - $1)
                  AND NOT EXISTS (SELECT FROM dispatcher.plan p WHERE p.notification_id = n.id)
                  AND NOT EXISTS (SELECT FROM dispatcher.retry r WHERE r.notification_id = n.id)
                ORDER BY n.id LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            [.int4(days), .int8(Int64(Self.cleaningStep))]
        )
        let letters = PostgresStatement(
            "DELETE FROM dispatcher.dead_letter WHERE received_at < now() - $1::int4 * interval '1 day'",
            [.int4(days)]
        )
        let localTimes = PostgresStatement(
            """
            DELETE FROM dispatcher.local_time l
            WHERE l.notification_id < dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - $1)
              AND NOT EXISTS (SELECT FROM dispatcher.plan p WHERE p.notification_id = l.notification_id)
            """,
            [.int4(days)]
        )
        let suspects = PostgresStatement("DELETE FROM dispatcher.suspect WHERE first_seen < now() - interval '1 day'")
        let settled = PostgresStatement(
            "DELETE FROM dispatcher.suspect_notification WHERE settled_at < now() - $1::int4 * interval '1 day'",
            [.int4(days)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(letters)
            try session.execute(suspects)
            try session.execute(settled)
            try session.execute(localTimes)
            try session.execute(
                PostgresStatement("DELETE FROM dispatcher.cap_use WHERE changed_at < now() - interval '31 days'")
            )
            return try session.execute(notifications).affected == Self.cleaningStep
        }
    }

    /// Makes coming day partitions and drops old ones.
    func maintainPartitions(retentionDays: Int) async throws {
        let statement = PostgresStatement(
            "SELECT dispatcher.maintain_partitions($1)",
            [.int4(Int32(clamping: retentionDays))]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}

/// What a worker says of itself at every heartbeat.
struct WorkerHeartbeat: Sendable {
    let id: Int64
    let host: String
    let process: Int32
    let version: String
    var jobs: Int64 = 0
    var deliveries: Int64 = 0
    var state = "running"
}
