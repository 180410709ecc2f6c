import DispatchCore
import Postgres

/// The notifications of one hub, as the API asks for them.
struct HubJobStore: Sendable {
    enum Cancellation: String, Sendable {
        case cancelled
        case finished
    }

    let pool: PostgresPool
    let hub: Int32

    func status(of id: UUIDValue) async throws -> NotificationStatus? {
        let statement = PostgresStatement(
            """
            SELECT id, hub, state, target, audience::int8, accepted::int8, failed::int8, retrying::int8, expired::int8,
                   suppressed::int8, cancelled::int8, unknown::int8, created_at, finished_at
            FROM dispatcher.hub_notification
            WHERE id = $1
            """,
            [.uuid(high: id.high, low: id.low)]
        )
        return try await pool.inHub(hub, ask: statement) { rows in
            rows.count == 0 ? nil : try NotificationStatus(rows)
        }
    }

    /// Nil when there is no such notification in the hub.
    func cancel(_ id: UUIDValue) async throws -> Cancellation? {
        let statement = PostgresStatement(
            "SELECT dispatcher.cancel_notification($1)",
            [.uuid(high: id.high, low: id.low)]
        )
        return try await pool.inHub(hub, ask: statement) { rows in
            try rows.textOrNull(0, 0).flatMap { Cancellation(rawValue: $0) }
        }
    }
}
