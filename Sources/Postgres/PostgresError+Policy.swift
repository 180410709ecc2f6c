extension PostgresError {
    /// What a caller should do about an error.
    public enum Policy: Sendable {
        /// Run the whole transaction again, soon.
        case retry
        /// The connection is gone or useless: take another, then run again if that is safe.
        case reconnect
        /// The server lacks a resource: back off for long.
        case wait
        /// The server's time limit ended it: run again with a smaller batch.
        case smaller
        /// The same input fails again: set it aside.
        case permanent
    }

    /// What to do about this error, from the one table of SQLSTATE.
    public var policy: Policy {
        if let sqlState { return Self.policy(ofSQLState: sqlState) }
        return switch kind {
        case .connection, .timeout, .protocol: .reconnect
        case .cancelled: .retry
        case .server: .wait
        case .encoding, .decoding: .permanent
        }
    }

    /// Whether the values of the statement are to blame: only then is it right to set the input aside.
    ///
    /// A missing privilege, table or login is permanent too, but it is the operator's to mend and says nothing about
    /// the input.
    public var isFaultOfInput: Bool {
        guard let sqlState else { return kind == .encoding }
        return Self.inputClasses.contains(String(sqlState.prefix(2)))
    }

    /// Cardinality, data, integrity constraint and program limit (too many columns, too complex).
    private static let inputClasses: Set<String> = ["21", "22", "23", "54"]

    static func policy(ofSQLState state: String) -> Policy {
        codes[state] ?? classes[String(state.prefix(2))] ?? .permanent
    }

    /// Codes that differ from their class.
    private static let codes: [String: Policy] = [
        "25006": .reconnect,  // read_only_sql_transaction: this is a demoted primary
        "25P02": .retry,  // in_failed_sql_transaction: an earlier error was swallowed
        "25P03": .reconnect,  // idle_in_transaction_session_timeout
        "26000": .retry,  // invalid_sql_statement_name: the prepared statement is gone, the cache forgets it
        "40003": .reconnect,  // statement_completion_unknown
        "53300": .reconnect,  // too_many_connections
        "55006": .retry,  // object_in_use
        "55P03": .retry,  // lock_not_available
        "57014": .smaller,  // query_canceled: statement_timeout
        "57P01": .reconnect,  // admin_shutdown
        "57P02": .reconnect,  // crash_shutdown
        "57P03": .reconnect,  // cannot_connect_now
        "57P05": .reconnect,  // idle_session_timeout
    ]

    /// Classes (the first two characters) that are not permanent.
    private static let classes: [String: Policy] = [
        "08": .reconnect,  // connection exception
        "40": .retry,  // transaction rollback: serialization failure, deadlock
        "53": .wait,  // insufficient resources: disk full, out of memory
        "58": .wait,  // system error: I/O
        "XX": .wait,  // internal error, corruption
    ]
}
