import DispatchCore
import Postgres

/// What the view `dashboard.dead_letters` says about one message.
struct DeadLetterSummary: Sendable {
    let id: Int64
    let receivedAt: Timestamp
    let publishedAt: Timestamp?
    let lastSeenAt: Timestamp
    let timesSeen: Int
    let queue: String
    let hub: String?
    let messageID: String?
    let reason: String
    let path: String?
    let offset: Int?
    let detail: String
    let byteCount: Int
    let state: String
    let replays: Int
    let replayedAt: Timestamp?
    let discardedAt: Timestamp?
    let exchange: String?
    let routingKey: String?

    static let columns = """
        id, received_at, published_at, last_seen_at, times_seen, queue, hub, message_id, reason, path, byte_offset, detail,
        byte_count, state, replays, replayed_at, discarded_at, exchange, routing_key
        """

    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        id = try rows.int8(row, 0)
        receivedAt = Timestamp(microseconds: try rows.timestamp(row, 1))
        publishedAt = try rows.timestampOrNull(row, 2).map { Timestamp(microseconds: $0) }
        lastSeenAt = Timestamp(microseconds: try rows.timestamp(row, 3))
        timesSeen = Int(try rows.int4(row, 4))
        queue = try rows.text(row, 5)
        hub = try rows.textOrNull(row, 6)
        messageID = try rows.textOrNull(row, 7)
        reason = try rows.text(row, 8)
        path = try rows.textOrNull(row, 9)
        offset = try rows.int4OrNull(row, 10).map { Int($0) }
        detail = try rows.text(row, 11)
        byteCount = Int(try rows.int4(row, 12))
        state = try rows.text(row, 13)
        replays = Int(try rows.int4(row, 14))
        replayedAt = try rows.timestampOrNull(row, 15).map { Timestamp(microseconds: $0) }
        discardedAt = try rows.timestampOrNull(row, 16).map { Timestamp(microseconds: $0) }
        exchange = try rows.textOrNull(row, 17)
        routingKey = try rows.textOrNull(row, 18)
    }
}
