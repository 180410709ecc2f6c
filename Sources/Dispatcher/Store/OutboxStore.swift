import DispatchCore
import Postgres

/// What the hub has yet to tell the broker, as the one worker that tells it sees it.
struct OutboxStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// What has turns of its own, so that what the broker does not take of one kind holds up none of the other.
    enum Kind {
        case events
        case jobs

        /// An event of a kind that only newer versions know waits for a worker that does.
        fileprivate var condition: String {
            switch self {
            case .events: "job_id IS NULL AND event IN (\(Self.knownEvents))"
            case .jobs: "job_id IS NOT NULL"
            }
        }

        private static let knownEvents = (EventKind.allCases.map(\.code) + ChannelEvent.Kind.allCases.map(\.code))
            .map(String.init).joined(separator: ", ")
    }

    /// Whether anything waits; cheap, because every worker asks all the time.
    func isWaiting(_ kind: Kind) async throws -> Bool {
        let statement = PostgresStatement("SELECT EXISTS (SELECT FROM dispatcher.outbox WHERE \(kind.condition))")
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).bool(0, 0)
        }
    }

    /// The oldest entries, when this worker is the one that tells them or nobody is; else none.
    func oldest(_ kind: Kind, _ limit: Int) async throws -> [OutboxEntry] {
        let statements = [takeOver, PostgresStatement(Self.entries(kind), [.int8(worker), .int8(Int64(limit))])]
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.pipeline(statements)[1]
            var entries: [OutboxEntry] = []
            entries.reserveCapacity(rows.count)
            for row in 0..<rows.count { entries.append(try OutboxEntry(rows, row)) }
            return entries
        }
    }

    /// Forgets what the broker has confirmed.
    func remove(_ ids: [Int64]) async throws {
        guard !ids.isEmpty else { return }
        let statement = PostgresStatement("DELETE FROM dispatcher.outbox WHERE id = ANY ($1)", [.int8s(ids)])
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Lets another worker try.
    func giveUp() async throws {
        let statement = PostgresStatement(
            "UPDATE dispatcher.relay SET worker_id = NULL WHERE worker_id = $1",
            [.int8(worker)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// A worker whose lease has ended may be frozen; when it goes on, it tells some events twice, and loses none.
    private var takeOver: PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.relay r SET worker_id = $1
            WHERE r.worker_id IS DISTINCT FROM $1 AND NOT EXISTS (
                SELECT FROM dispatcher.worker w WHERE w.id = r.worker_id AND w.lease_until > clock_timestamp())
            """,
            [.int8(worker)]
        )
    }

    /// The columns as `OutboxEntry` reads them.
    private static func entries(_ kind: Kind) -> String {
        """
        SELECT o.id, o.created_at, o.event, o.lane, o.job_id, o.body, h.name, n.job_id, o.device, o.user_id, o.platform,
               o.attempts, o.reason, o.receipt_id, r.device_at, r.action_id, r.reply, r.response
        FROM (
            SELECT * FROM dispatcher.outbox
            WHERE \(kind.condition) AND EXISTS (SELECT FROM dispatcher.relay WHERE worker_id = $1)
            ORDER BY id
            LIMIT $2
        ) o
        LEFT JOIN dispatcher.hub h ON h.id = o.hub_id
        LEFT JOIN LATERAL (
            SELECT job_id FROM dispatcher.notification WHERE id = o.notification_id LIMIT 1
        ) n ON true
        LEFT JOIN LATERAL (
            SELECT device_at, action_id, reply, response FROM dispatcher.receipt
            WHERE notification_id = o.notification_id AND installation_id = o.installation_id
              AND receipt_id = o.receipt_id
            LIMIT 1
        ) r ON true
        ORDER BY o.id
        """
    }
}
