import CPostgres

extension PostgresHandle {
    /// Runs statements by the simple protocol and drops their rows.
    func execute(_ sql: String, _ operation: Operation) throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw PostgresError(.encoding, operation: operation.text) }
        let deadline = Deadline(after: callDeadline)
        guard PQsendQuery(try live(operation), sql) == 1 else { throw refusal(operation) }
        try flush(until: deadline, operation)
        _ = try lastRows(until: deadline, operation)
    }

    /// Runs one statement by the extended protocol with binary results.
    func execute(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
        let operation = Operation.statement(statement)
        try statement.validate(operation: operation.text)
        let deadline = Deadline(after: callDeadline)
        let key = statement.prepared ? PreparedStatements.Key(statement) : nil
        var name: String?
        if let key {
            name = statements.name(of: key)
            if name == nil { name = try prepare(statement, as: key, until: deadline) }
        }
        guard send(statement, name: name, on: try live(operation)) else { throw refusal(operation) }
        try flush(until: deadline, operation)
        do throws(PostgresError) {
            return try lastRows(until: deadline, operation)
        } catch {
            if let key { forgetIfStale(key, error) }
            throw error
        }
    }

    /// Queues an execution, by name if it is prepared.
    func send(_ statement: PostgresStatement, name: String?, on connection: OpaquePointer) -> Bool {
        ParameterBlock(statement.parameters).withPointers { count, types, values, lengths, formats in
            if let name { return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) }
            return PQsendQueryParams(connection, statement.sql, count, types, values, lengths, formats, 1)
        } == 1
    }

    /// Queues a preparation.
    func sendPrepare(_ statement: PostgresStatement, name: String, on connection: OpaquePointer) -> Bool {
        let types = statement.parameters.map(\.type.oid)
        return PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1
    }

    private func prepare(
        _ statement: PostgresStatement,
        as key: PreparedStatements.Key,
        until deadline: Deadline
    ) throws(PostgresError) -> String {
        let operation = Operation.statement(statement)
        try forget()
        let name = statements.makeName()
        guard sendPrepare(statement, name: name, on: try live(operation)) else { throw refusal(operation) }
        try flush(until: deadline, operation)
        _ = try lastRows(until: deadline, operation)
        remember(key, name: name)
        return name
    }

    /// Notes that the server knows a statement now.
    func remember(_ key: PreparedStatements.Key, name: String) {
        if let oldest = statements.insert(key, name: name) { forgotten.append(oldest) }
    }

    /// A statement whose result type a migration changed (0A000), or that a pooler dropped (26000), is parsed anew
    /// next time.
    func forgetIfStale(_ key: PreparedStatements.Key, _ error: PostgresError) {
        guard error.sqlState == "0A000" || error.sqlState == "26000" else { return }
        if let name = statements.remove(key), error.sqlState == "0A000" { forgotten.append(name) }
    }

    /// Lets the server forget evicted statements, unless a failed transaction refuses everything.
    func forget() throws(PostgresError) {
        guard !forgotten.isEmpty, let pointer, PQtransactionStatus(pointer) != PQTRANS_INERROR else { return }
        let sql = forgotten.map { "DEALLOCATE \($0)" }.joined(separator: ";")
        forgotten.removeAll()
        try execute(sql, .named("deallocate"))
    }

    /// Reads to the end of the statements sent; answers the last one's rows or throws the first one's error.
    func lastRows(until deadline: Deadline, _ operation: Operation) throws(PostgresError) -> PostgresRows {
        var rows: PostgresRows?
        var failure: PostgresError?
        while let result = try nextResult(until: deadline, operation) {
            let outcome = PostgresRows(adopting: result)
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                rows = outcome
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                throw retire(PostgresError(.protocol, operation: operation.text))
            default:
                failure = failure ?? PostgresError(result: result, operation: operation.text)
            }
            if let failure, failure.isConnectionLoss { break }
        }
        if let failure { throw settle(failure) }
        guard let rows else { throw refusal(operation) }
        return rows
    }
}
