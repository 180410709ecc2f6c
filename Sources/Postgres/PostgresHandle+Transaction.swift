import CPostgres

extension PostgresHandle {
    /// Runs what may commit: if the connection is lost before the answer, nobody knows whether it did.
    ///
    /// A statement outside a transaction block commits by itself.
    func committing<R>(
        if commits: @autoclosure () -> Bool,
        _ body: () throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        let wasAlive = pointer != nil
        let wasInTransaction = isInTransaction
        do throws(PostgresError) {
            return try body()
        } catch {
            var error = error
            let isAnswerLost = wasAlive && pointer == nil && error.kind != .server && error.kind != .encoding
            error.isCommitUnknown = isAnswerLost && (!wasInTransaction || commits())
            throw error
        }
    }

    /// Opens a transaction block, with statements that go along in the same round trip; answers their rows.
    @discardableResult
    func begin(with statements: [PostgresStatement] = []) throws(PostgresError) -> [PostgresRows] {
        guard !isInTransaction else {
            // active_sql_transaction: the inner COMMIT would end the outer transaction.
            throw PostgresError(.server, operation: "begin", sqlState: "25001")
        }
        guard !statements.isEmpty else {
            try execute("BEGIN", .named("begin"))
            return []
        }
        return Array(try pipeline([PostgresStatement("BEGIN")] + statements).dropFirst())
    }

    /// Commits; a block that an error has aborted answers ROLLBACK without an error of its own.
    func commit() throws(PostgresError) {
        let operation = Operation.named("commit")
        try committing(if: true) { () throws(PostgresError) in
            let deadline = Deadline(after: callDeadline)
            guard PQsendQuery(try live(operation), "COMMIT") == 1 else { throw refusal(operation) }
            try flush(until: deadline, operation)
            let rows = try lastRows(until: deadline, operation)
            if rows.commandTag != "COMMIT" {
                throw PostgresError(.server, operation: operation.text, sqlState: "25P02")
            }
        }
    }

    /// Ends an open transaction block, if the connection is alive; one that cannot be ended loses its connection.
    func rollBack() {
        guard pointer != nil, isInTransaction else { return }
        do throws(PostgresError) {
            try execute("ROLLBACK", .named("rollback"))
        } catch {
            _ = retire(error)
        }
    }
}
