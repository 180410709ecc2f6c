import DispatchCore
import Postgres

/// Reads one notification's state from the dashboard views, as anyone may.
struct StatusStore: Sendable {
    /// An id of which several hubs have a notification: it says which one is meant with the hub only.
    struct SeveralHubs: Error {
        let hubs: [String]
    }

    let pool: PostgresPool

    /// The notification, of the hub where one is named; nil when there is none.
    func status(of id: UUIDValue, hub: String? = nil) async throws -> NotificationStatus? {
        let statement = PostgresStatement(
            """
            SELECT id, hub, state, target, audience::int8, accepted::int8, failed::int8, retrying::int8, expired::int8,
                   suppressed::int8, cancelled::int8, unknown::int8, created_at, finished_at
            FROM dashboard.notifications
            WHERE id = $1 AND ($2::text IS NULL OR hub = $2)
            ORDER BY hub
            """,
            [.uuid(high: id.high, low: id.low), .textOrNull(hub)]
        )
        return try await pool.withThrowingSession { session in
            let rows = try session.execute(statement)
            guard rows.count < 2 else { throw SeveralHubs(hubs: try (0..<rows.count).map { try rows.text($0, 1) }) }
            return rows.count == 0 ? nil : try NotificationStatus(rows)
        }
    }

    /// Marks a notification as cancelled; answers whether there is one that was not finished or cancelled before.
    ///
    /// What waits for its time, or was not begun, leaves the schedule at once.
    func cancel(_ id: UUIDValue, hub: String? = nil) async throws -> Bool {
        guard let found = try await status(of: id, hub: hub) else { return false }
        let statement = PostgresStatement(
            """
            SELECT dispatcher.end_notification(number) FROM dashboard.notifications
            WHERE id = $1 AND hub = $2 AND state <> 'cancelled' AND finished_at IS NULL
            """,
            [.uuid(high: id.high, low: id.low), .text(found.hub)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).count > 0
        }
    }
}

/// What the dashboard says about one notification.
struct NotificationStatus: Sendable {
    let id: UUIDValue
    let hub: String
    let state: String
    let target: String
    let createdAt: Timestamp
    let finishedAt: Timestamp?

    /// Deliveries by name: audience, then one for each state.
    let counts: [(name: String, value: Int)]

    private static let countNames = [
        "audience", "accepted", "failed", "retrying", "expired", "suppressed", "cancelled", "unknown",
    ]

    init(_ rows: PostgresRows) throws(PostgresError) {
        let job = try rows.uuid(0, 0)
        id = UUIDValue(high: job.high, low: job.low)
        hub = try rows.text(0, 1)
        state = try rows.text(0, 2)
        target = try rows.text(0, 3)
        var counts: [(name: String, value: Int)] = []
        for (index, name) in Self.countNames.enumerated() {
            counts.append((name, Int(try rows.int8(0, 4 + index))))
        }
        self.counts = counts
        createdAt = Timestamp(microseconds: try rows.timestamp(0, 12))
        finishedAt = try rows.timestampOrNull(0, 13).map { Timestamp(microseconds: $0) }
    }

    var audience: Int { counts[0].value }

    /// Deliveries that will not change any more.
    var finished: Int { counts.dropFirst().filter { $0.name != "retrying" }.reduce(0) { $0 + $1.value } }

    var isFinished: Bool { finishedAt != nil || state == "cancelled" && finished >= audience }
}
