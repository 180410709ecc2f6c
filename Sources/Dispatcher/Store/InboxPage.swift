import DispatchCore
import Postgres

/// A page of a user's inbox, with the unread counts of the same moment.
struct InboxPage: Sendable {
    var items: [Item] = []

    /// How much of each thread is unread.
    var threads: [(name: String, unread: Int64)] = []

    /// In all threads, and outside of them.
    var unread: Int64 = 0

    /// Where the next page begins; nil at the end.
    var next: InboxPosition?

    /// One notification as its user has it.
    struct Item: Sendable {
        let position: InboxPosition
        let job: UUIDValue
        let thread: String?
        let readAt: Timestamp?

        /// The job as it came.
        let body: [UInt8]
    }

    /// Reads what `dispatcher.inbox_page` answers to a question for one row more than `limit`.
    init(_ rows: PostgresRows, limit: Int) throws(PostgresError) {
        for row in 0..<rows.count {
            guard let number = try rows.int8OrNull(row, 0) else {
                try addCount(rows, row)
                continue
            }
            guard next == nil else { continue }
            let position = InboxPosition(
                time: Timestamp(microseconds: try rows.timestamp(row, 3)),
                notification: NotificationID(rawValue: number)
            )
            let hasNoBody = try rows.isNull(row, 5)
            if items.count == limit || hasNoBody {
                next = items.last?.position
            } else {
                items.append(try Item(rows, row, at: position))
            }
        }
    }

    /// Nobody's inbox.
    init() {}

    private mutating func addCount(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        let count = try rows.int8(row, 6)
        unread += count
        if let thread = try rows.textOrNull(row, 2) { threads.append((thread, count)) }
    }
}

extension InboxPage.Item {
    fileprivate init(_ rows: PostgresRows, _ row: Int, at position: InboxPosition) throws(PostgresError) {
        self.position = position
        let id = try rows.uuid(row, 1)
        job = UUIDValue(high: id.high, low: id.low)
        thread = try rows.textOrNull(row, 2)
        readAt = try rows.timestampOrNull(row, 4).map { Timestamp(microseconds: $0) }
        body = try rows.bytes(row, 5)
    }
}
