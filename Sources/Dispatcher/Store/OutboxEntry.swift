import DispatchCore
import Postgres

/// A row of the outbox: what the broker has yet to be told.
struct OutboxEntry: Sendable {
    enum Content: Sendable {
        case event(NotificationEvent)

        /// An event about a channel, whole.
        case channel(ChannelEvent.Kind, body: [UInt8])

        /// A job of the hub's own.
        case job(id: UUIDValue, lane: Lane, body: [UInt8])

        /// An event about what is gone since, by the end of the retention or because its user was forgotten.
        case gone
    }

    let id: Int64
    let content: Content
}

extension OutboxEntry {
    /// Reads a row of `OutboxStore`'s statement.
    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        id = try rows.int8(row, 0)
        if let job = try rows.uuidOrNull(row, 4) {
            content = .job(
                id: UUIDValue(high: job.high, low: job.low),
                lane: Lane(rawValue: try rows.int2(row, 3)) ?? .normal,
                body: try rows.bytes(row, 5)
            )
        } else if let kind = ChannelEvent.Kind(code: try rows.int2(row, 2)) {
            content = .channel(kind, body: try rows.bytes(row, 5))
        } else if let event = try NotificationEvent(rows, row) {
            content = .event(event)
        } else {
            content = .gone
        }
    }
}

extension NotificationEvent {
    fileprivate init?(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        guard let kind = EventKind(code: try rows.int2(row, 2)) else { return nil }
        guard let job = try rows.uuidOrNull(row, 7), let hub = try rows.textOrNull(row, 6) else { return nil }
        let receiptID = try rows.textOrNull(row, 13)
        let text = try rows.textOrNull(row, 16)
        if receiptID != nil, try rows.isNull(row, 14) || (kind == .reply && text == nil) { return nil }
        let notification = UUIDValue(high: job.high, low: job.low)
        let installation = try rows.text(row, 8)
        let subject = "\(notification)/\(installation)/\(kind.rawValue)"
        self.init(
            // White space stands in no installation's id, so no two events have one id.
            id: receiptID.map { "\(subject) \($0)" } ?? subject,
            hub: hub,
            kind: kind,
            notificationID: notification,
            installationID: installation,
            userID: try rows.textOrNull(row, 9),
            platform: try rows.int2OrNull(row, 10).flatMap { Platform(rawValue: $0) },
            reason: try rows.textOrNull(row, 12),
            attempts: try rows.int2OrNull(row, 11).map { Int($0) },
            actionID: try rows.textOrNull(row, 15),
            text: text,
            response: try rows.int2OrNull(row, 17).flatMap { ResponseOption(code: $0) },
            at: try rows.timestampOrNull(row, 14).map { Timestamp(microseconds: $0) },
            time: Timestamp(microseconds: try rows.timestamp(row, 1))
        )
    }
}
