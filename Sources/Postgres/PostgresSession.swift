/// A connection in the hands of one closure, on the connection's own executor.
///
/// Every call blocks that executor's thread, never the cooperative pool, and gives up after the configuration's
/// `callDeadline`, which loses the connection. Nothing of it may leave the closure.
public struct PostgresSession: ~Copyable {
    let handle: PostgresHandle

    init(_ handle: PostgresHandle) {
        self.handle = handle
    }

    /// Whether a transaction block is open.
    public var isInTransaction: Bool { handle.isInTransaction }

    /// Runs one statement with binary parameters and results.
    @discardableResult
    public func execute(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
        try handle.committing(if: statement.commits) { () throws(PostgresError) in
            try handle.execute(statement)
        }
    }

    /// Runs any number of statements without parameters by the simple protocol, as one transaction unless they say
    /// otherwise; their rows are dropped.
    public func execute(_ sql: String) throws(PostgresError) {
        let statement = PostgresStatement(sql)
        try handle.committing(if: sql.lowercased().contains("commit")) { () throws(PostgresError) in
            try handle.execute(sql, .statement(statement))
        }
    }

    /// Sends all statements at once and answers the rows of each.
    ///
    /// Outside a transaction block they are one transaction, unless BEGIN and COMMIT are among them. Statements not yet
    /// prepared are prepared on the way. Keep it to some hundreds: all answers are held in memory.
    ///
    /// - Throws: the first statement's error with its `statementIndex` (nil when the commit at the end failed); those
    ///   behind it did not run, a transaction that began here is rolled back, and the connection stays usable.
    public func pipeline(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        guard !statements.isEmpty else { return [] }
        return try handle.committing(if: statements.contains { $0.commits }) { () throws(PostgresError) in
            try handle.pipeline(statements)
        }
    }

    /// Runs the body between BEGIN and COMMIT; an error of the body rolls back and is thrown on.
    ///
    /// - Throws: also what COMMIT throws: SQLSTATE 25P02 if the body swallowed a server error, so that nothing was
    ///   committed; an error with `isCommitUnknown` if the answer was lost.
    public func transaction<R>(
        _ body: (borrowing PostgresSession) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        try handle.begin()
        let value: R
        do throws(PostgresError) {
            value = try body(self)
        } catch {
            handle.rollBack()
            throw error
        }
        try handle.commit()
        return value
    }

    /// The same for a body that throws errors of its own, with statements that are sent together with BEGIN.
    ///
    /// - Parameters:
    ///   - opening: The statements.
    ///   - body: Gets their rows.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or what BEGIN, the statements or COMMIT do.
    public func throwingTransaction<R>(
        opening: [PostgresStatement],
        _ body: (borrowing PostgresSession, [PostgresRows]) throws -> R
    ) throws -> R {
        let rows = try handle.begin(with: opening)
        let value: R
        do {
            value = try body(self, rows)
        } catch {
            handle.rollBack()
            throw error
        }
        try handle.commit()
        return value
    }

    /// The same without statements that go first.
    public func throwingTransaction<R>(_ body: (borrowing PostgresSession) throws -> R) throws -> R {
        try throwingTransaction(opening: []) { session, _ in try body(session) }
    }
}

extension PostgresStatement {
    /// Whether it ends a transaction block.
    fileprivate var commits: Bool {
        let verb = Substring(verb).lowercased()
        return verb == "commit" || verb == "end"
    }
}
