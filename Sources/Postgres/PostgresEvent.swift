/// Something worth a log line or a counter that no call reports.
public enum PostgresEvent: Sendable, Equatable {
    /// A connection was made.
    case connected
    /// A connection was lost or could not be made; the call that noticed throws the same error.
    case connectionLost(PostgresError)
    /// The server sent a notice; `text` has its SQLSTATE and table, never its message, which may carry values.
    case notice(severity: String, text: String)
}
