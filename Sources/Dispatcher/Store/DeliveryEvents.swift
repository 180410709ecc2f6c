import DispatchCore
import Postgres

/// The statement that writes the events of a record, beside what they tell of.
enum DeliveryEvents {
    /// The ends of deliveries that somebody wants to hear of; nil when there is none.
    ///
    /// A device that has been deleted meanwhile is nobody's business any more.
    static func statement(of record: BatchRecord, told: EventChoice) -> PostgresStatement? {
        let rows = record.deliveries.filter { row in EventKind(row.state).map { told.contains($0) } ?? false }
        guard !rows.isEmpty else { return nil }
        return PostgresStatement(
            """
            INSERT INTO dispatcher.outbox
                (hub_id, event, notification_id, installation_id, device, user_id, platform, attempts, reason)
            SELECT i.hub_id, 10 + e.state, e.notification, i.id, i.installation_id, i.user_id, i.platform, e.attempts,
                   e.reason
            FROM unnest($1::int8[], $2::int8[], $3::int2[], $4::int2[], $5::text[])
                AS e(notification, installation, state, attempts, reason)
            JOIN dispatcher.installation i ON i.id = e.installation
            """,
            [
                .int8s(rows.map(\.notification.rawValue)),
                .int8s(rows.map(\.installation.rawValue)),
                .int2s(rows.map(\.state.rawValue)),
                .int2s(rows.map { Int16($0.attempts) }),
                .textsOrNull(rows.map(\.reason)),
            ]
        )
    }
}
