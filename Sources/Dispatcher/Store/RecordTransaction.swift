import DispatchCore
import Postgres

/// One batch's record as a transaction: the fenced statements in one round trip, then the rows by COPY if they are many.
struct RecordTransaction: Sendable {
    /// The fence comes first; the one that begins the next batch, if any, comes last.
    let statements: [PostgresStatement]

    /// First attempts; the rows of later ones are updated by a statement.
    let copied: [BatchRecord.Row]
    let recordedAt: Timestamp
    let beginsNext: Bool

    func run(_ session: borrowing PostgresSession) throws(PostgresError) -> RecordStore.Answer {
        guard !copied.isEmpty else {
            // A pipeline is a transaction of its own.
            let results = try session.pipeline(statements)
            return .recorded(next: try begun(results[statements.count - 1]))
        }
        let results = try session.pipeline([Self.begin] + statements)
        let next = try begun(results[statements.count])
        try copy(into: session)
        try session.execute("COMMIT")
        return .recorded(next: next)
    }

    private func begun(_ rows: PostgresRows) throws(PostgresError) -> BegunBatch? {
        guard beginsNext, rows.count == 1 else { return nil }
        return BegunBatch(cancelled: Set(try rows.int8Array(0, 0).map { NotificationID(rawValue: $0) }))
    }

    private func copy(into session: borrowing PostgresSession) throws(PostgresError) {
        _ = try session.copyIn("dispatcher.delivery", columns: Self.columns) { writer throws(PostgresError) in
            for row in copied {
                write(row, to: &writer)
            }
        }
    }

    private func write(_ row: BatchRecord.Row, to writer: inout PostgresCopyWriter) {
        writer.row(columns: Self.columns.count)
        writer.int8(row.notification.rawValue)
        writer.int8(row.installation.rawValue)
        writer.timestamptzOrNull(row.state == .accepted ? recordedAt.microseconds : nil)
        writer.timestamptzOrNull(row.state.isTerminal ? recordedAt.microseconds : nil)
        writer.int2(row.state.rawValue)
        writer.int2(row.platform)
        writer.int2(Int16(row.attempts))
        writer.bool(row.isAmbiguous)
        writer.textOrNull(row.reason)
    }

    private static let begin = PostgresStatement("BEGIN")

    private static let columns = [
        "notification_id", "installation_id", "accepted_at", "finished_at", "state", "platform", "attempts",
        "is_ambiguous", "reason",
    ]
}
