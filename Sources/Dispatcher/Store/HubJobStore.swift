import DispatchCore
import Postgres

/// The notifications of one hub, as the API asks for them.
struct HubJobStore: Sendable {
    enum Cancellation: String, Sendable {
        case cancelled
        case finished
        /// No worker has taken it yet.
        case queued
    }

    enum Change: String, Sendable {
        case changed
        case queued
        case cancelled
        /// It is being planned or sent, or all of it has ended.
        case begun
    }

    /// What is known of a job.
    enum State: Sendable {
        case known(NotificationStatus)
        case waiting(WaitingJob)
    }

    /// A job that came before.
    struct Known: Sendable {
        /// Of its body; nil where somebody was erased from it, and then any body is the same.
        let hash: [UInt8]?
        /// Of the notification; nil while it waits for a worker.
        let state: String?
    }

    let pool: PostgresPool
    let hub: Int32

    /// Nil when there is no such job in the hub.
    func state(of id: UUIDValue) async throws -> State? {
        let known = PostgresStatement(
            """
            SELECT id, hub, state, target, audience::int8, accepted::int8, failed::int8, retrying::int8, expired::int8,
                   suppressed::int8, cancelled::int8, unknown::int8, created_at, finished_at
            FROM dispatcher.hub_notification
            WHERE id = $1
            """,
            [.uuid(high: id.high, low: id.low)]
        )
        let waiting = PostgresStatement(
            "SELECT taken_at, reason FROM dispatcher.waiting_job($1)",
            [.uuid(high: id.high, low: id.low)]
        )
        return try await pool.inHub(hub) { session in
            let rows = try session.execute(known)
            if rows.count > 0 { return .known(try NotificationStatus(rows)) }
            let jobs = try session.execute(waiting)
            guard jobs.count > 0 else { return nil }
            let takenAt = Timestamp(microseconds: try jobs.timestamp(0, 0))
            return .waiting(WaitingJob(takenAt: takenAt, reason: try jobs.textOrNull(0, 1)))
        }
    }

    /// For each id what is known of it.
    func known(_ ids: [UUIDValue]) async throws -> [Known?] {
        let statement = PostgresStatement(
            "SELECT ordinal, body_hash, state FROM dispatcher.known_jobs($1)",
            [.uuids(ids.map { ($0.high, $0.low) })]
        )
        return try await pool.inHub(hub) { session in
            let rows = try session.execute(statement)
            var known = [Known?](repeating: nil, count: ids.count)
            for row in 0..<rows.count {
                let place = Int(try rows.int8(row, 0)) - 1
                known[place] = Known(hash: try rows.bytesOrNull(row, 1), state: try rows.textOrNull(row, 2))
            }
            return known
        }
    }

    /// Writes down what the broker has confirmed.
    func remember(_ entries: [JobIntake.Entry]) async throws {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.job_intake (job_id, hub_id, body_hash)
            SELECT id, $2, hash FROM unnest($1::uuid[], $3::bytea[]) AS j(id, hash)
            ON CONFLICT (job_id, hub_id) DO NOTHING
            """,
            [.uuids(entries.map { ($0.id.high, $0.id.low) }), .int4(hub), .byteas(entries.map(\.hash))]
        )
        try await pool.inHub(hub) { session in _ = try session.execute(statement) }
    }

    /// Whether the hub has the class of notifications.
    func hasClass(_ name: String) async throws -> Bool {
        let statement = PostgresStatement("SELECT dispatcher.has_class($1)", [.text(name)])
        return try await pool.inHub(hub, ask: statement) { rows in try rows.bool(0, 0) }
    }

    /// Nil when there is no such job in the hub.
    func cancel(_ id: UUIDValue) async throws -> Cancellation? {
        let statement = PostgresStatement(
            "SELECT dispatcher.cancel_notification($1)",
            [.uuid(high: id.high, low: id.low)]
        )
        return try await pool.inHub(hub, ask: statement) { rows in
            try rows.textOrNull(0, 0).flatMap { Cancellation(rawValue: $0) }
        }
    }

    /// Puts the document in the place of the one with its id, if that waits for its time; nil when there is none.
    func change(_ body: JobBody, now: Timestamp) async throws -> Change? {
        let job = body.job
        let statement = PostgresStatement(
            "SELECT dispatcher.change_job($1, $2, $3, $4, $5, $6, $7, $8::timestamptz AT TIME ZONE 'UTC')",
            [
                .uuid(high: job.id.high, low: job.id.low), .bytea(body.bytes), .text(job.audience.summary),
                .int2(job.usualLane.rawValue), .bool(job.options.guarantee == .atMostOnce),
                .timestamptz(microsecondsSinceUnixEpoch: job.options.expiry(from: now).microseconds),
                .timestamptz(microsecondsSinceUnixEpoch: (job.options.sendAt ?? now).microseconds),
                .timestamptzOrNull(job.localTime?.microseconds),
            ]
        )
        let contents = try ContentRows.replacement(job, hub: hub)
        return try await pool.inHub(hub) { session in
            let change = try session.execute(statement).textOrNull(0, 0).flatMap { Change(rawValue: $0) }
            // What the new document brings takes the place of what the old one brought.
            if change == .changed { for content in contents { try session.execute(content) } }
            return change
        }
    }
}
