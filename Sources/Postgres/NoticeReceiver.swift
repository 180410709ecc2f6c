import CPostgres

/// Turns the server's notices into events; without it libpq prints them to stderr.
final class NoticeReceiver {
    private let onEvent: @Sendable (PostgresEvent) -> Void

    init(onEvent: @escaping @Sendable (PostgresEvent) -> Void) {
        self.onEvent = onEvent
    }

    /// Attaches to a connection, which must not outlive the receiver.
    func attach(to connection: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().receive(result)
            },
            context
        )
        // Results keep the processor for libpq's own warnings and may outlive the connection: it needs no context.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    private func receive(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? {
            PQresultErrorField(result, code).map { String(cString: $0) }
        }
        var text = "SQLSTATE \(field(CPostgresDiagSQLState) ?? "none")"
        if let table = field(CPostgresDiagTableName) { text += " table \(table)" }
        onEvent(.notice(severity: field(CPostgresDiagSeverity) ?? "NOTICE", text: text))
    }
}
