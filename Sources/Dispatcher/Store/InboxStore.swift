import DispatchCore
import Postgres

/// The inboxes of one hub's users, as the API asks for them.
struct InboxStore: Sendable {
    let pool: PostgresPool

    /// The kinds of receipts that other services are told of.
    let told: EventChoice

    /// Which part of an inbox is asked for.
    struct Question: Sendable {
        let user: String
        var thread: String?
        var isUnread = false
        var after: InboxPosition?
        var limit = 50

        static let greatestLimit = 200
    }

    /// What came of marking something as read.
    struct Reading: Sendable, Equatable {
        /// How much of it was unread until then.
        let count: Int64

        /// How much the user has left.
        let unread: Int64
    }

    /// A notification that is read by a user, of whom a service says it, or on a device, whose user it then is.
    struct Read: Sendable {
        let notification: NotificationReference
        let user: String?
        let device: String?
    }

    /// The bodies of a page end here, though one is always given.
    private static let pageBytes: Int64 = 1 << 20

    /// Entries marked by one transaction.
    private static let readStep: Int32 = 500

    func page(_ question: Question, in hub: Int32) async throws -> InboxPage {
        let statement = PostgresStatement(
            """
            SELECT number, job_id, thread, created_at, read_at, body, unread
            FROM dispatcher.inbox_page($1, $2, $3, coalesce($4, 'infinity'), $5, $6, $7)
            """,
            [
                .text(question.user), .textOrNull(question.thread), .bool(question.isUnread),
                .timestamptzOrNull(question.after?.time.microseconds),
                .int8(question.after?.notification.rawValue ?? 0), .int4(Int32(question.limit) + 1),
                .int8(Self.pageBytes),
            ]
        )
        return try await pool.inHub(hub, ask: statement) { try InboxPage($0, limit: question.limit) }
    }

    /// Marks single notifications; nil where a user or device does not have it.
    func read(_ reads: [Read], in hub: Int32) async throws -> [Reading?] {
        let statement = PostgresStatement(
            "SELECT was_unread::int8, unread FROM dispatcher.read_notifications($1, $2, $3, $4, $5)",
            [
                .uuidsOrNull(reads.map { $0.notification.job.map { ($0.high, $0.low) } }),
                .int8sOrNull(reads.map { $0.notification.number?.rawValue }),
                .textsOrNull(reads.map(\.user)), .textsOrNull(reads.map(\.device)), .int4(told.receiptMask),
            ]
        )
        return try await pool.inHub(hub, ask: statement) { rows in
            try (0..<rows.count).map { row in
                guard let count = try rows.int8OrNull(row, 0) else { return nil }
                return Reading(count: count, unread: try rows.int8(row, 1))
            }
        }
    }

    /// Marks what a user has not read, of one thread or of all and as far as one notification or to the end; nil when the
    /// user does not have that one.
    func readAll(
        of user: String,
        thread: String?,
        upTo last: NotificationReference?,
        device: String?,
        in hub: Int32
    ) async throws -> Reading? {
        let statement = PostgresStatement(
            """
            SELECT was_unread::int8, unread, seen FROM dispatcher.read_inbox($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(user), .textOrNull(thread), .uuidOrNull(last?.job.map { ($0.high, $0.low) }),
                .int8OrNull(last?.number?.rawValue), .textOrNull(device), .int4(told.receiptMask), .int4(Self.readStep),
            ]
        )
        var count: Int64 = 0
        while true {
            // Step by step, so that none holds its locks for long.
            let step = try await pool.inHub(hub, ask: statement) { rows -> (reading: Reading, isLast: Bool)? in
                guard rows.count == 1 else { return nil }
                let reading = Reading(count: try rows.int8(0, 0), unread: try rows.int8(0, 1))
                return (reading, try rows.int4(0, 2) < Self.readStep)
            }
            guard let step else { return nil }
            count += step.reading.count
            if step.isLast { return Reading(count: count, unread: step.reading.unread) }
        }
    }
}
