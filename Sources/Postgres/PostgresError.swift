/// What went wrong at the boundary to PostgreSQL, without any of the data that was being stored.
///
/// `description` is safe to log: operation, kind, SQLSTATE, table and constraint. The server's DETAIL and CONTEXT
/// carry values ("Key (token)=(...)") and are never read; `debugDescription` adds the primary message of errors that
/// speak of names and resources only.
public struct PostgresError: Error, Sendable, Equatable {
    /// Which side of the boundary failed.
    public enum Kind: String, Sendable {
        /// The connection could not be made or was lost.
        case connection
        /// The client's own deadline expired (no SQLSTATE, the connection is gone) or the server's did (57014).
        case timeout
        /// The task was cancelled; a running call has lost its connection.
        case cancelled
        /// The server answered with an error.
        case server
        /// A parameter cannot be sent, found before anything reached the server.
        case encoding
        /// A result does not have the type, value or shape that was asked for.
        case decoding
        /// The conversation with libpq or the server is not where it should be.
        case `protocol`
    }

    /// Which side of the boundary failed.
    public let kind: Kind

    /// The five characters of the server's error code, when the server answered.
    public let sqlState: String?

    /// The constraint that was violated, when the server names one.
    public let constraint: String?

    /// The table concerned, when the server names one.
    public let table: String?

    /// What was being done, such as `execute INSERT` or `copy app.item`.
    public let operation: String

    /// The position of the failing statement within a pipeline.
    public internal(set) var statementIndex: Int?

    /// Whether the answer that tells if the work was committed is lost: it may or may not be in the database.
    ///
    /// Also set for a statement or pipeline outside a transaction block, since it commits by itself.
    public internal(set) var isCommitUnknown = false

    /// The primary message, only where it cannot carry stored values.
    let message: String?

    /// Makes an error; the package makes its own, tests of callers need theirs.
    public init(
        _ kind: Kind,
        operation: String,
        sqlState: String? = nil,
        constraint: String? = nil,
        table: String? = nil
    ) {
        self.init(kind, operation: operation, sqlState: sqlState, constraint: constraint, table: table, message: nil)
    }

    init(
        _ kind: Kind,
        operation: String,
        sqlState: String? = nil,
        constraint: String? = nil,
        table: String? = nil,
        message: String?
    ) {
        self.kind = kind
        self.sqlState = sqlState
        self.constraint = constraint
        self.table = table
        self.operation = operation
        self.message = message
    }

    /// Whether the connection that raised it must not be used again.
    var isConnectionLoss: Bool {
        switch kind {
        case .connection, .protocol: true
        case .timeout, .cancelled: sqlState == nil
        case .server: policy == .reconnect
        case .encoding, .decoding: false
        }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Operation, kind, SQLSTATE and names; never values.
    public var description: String {
        var text = "\(operation): \(kind.rawValue)"
        if let sqlState { text += " SQLSTATE \(sqlState)" }
        if let table { text += " table \(table)" }
        if let constraint { text += " constraint \(constraint)" }
        if let statementIndex { text += " statement \(statementIndex)" }
        if isCommitUnknown { text += " (commit unknown)" }
        return text
    }

    /// The description and, where it is about names and resources only, the message.
    public var debugDescription: String {
        guard let message else { return description }
        return "\(description): \(message)"
    }
}
