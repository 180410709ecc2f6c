import CPostgres

extension PostgresHandle {
    /// Starts a binary COPY.
    func beginCopy(_ sql: String, _ operation: Operation) throws(PostgresError) {
        let deadline = Deadline(after: callDeadline)
        guard PQsendQuery(try live(operation), sql) == 1 else { throw refusal(operation) }
        try flush(until: deadline, operation)
        guard let result = try nextResult(until: deadline, operation) else { throw refusal(operation) }
        defer { PQclear(result) }
        if PQresultStatus(result) == PGRES_COPY_IN { return }
        let failure = PostgresError(result: result, operation: operation.text)
        while !failure.isConnectionLoss, let next = try nextResult(until: deadline, operation) { PQclear(next) }
        throw settle(failure)
    }

    /// Sends a piece of the data, in full.
    func putCopy(_ bytes: UnsafeRawBufferPointer, _ operation: Operation) throws(PostgresError) {
        let connection = try live(operation)
        let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard PQputCopyData(connection, base, Int32(bytes.count)) == 1 else { throw refusal(operation) }
        try flush(until: Deadline(after: callDeadline), operation)
    }

    /// Ends the data and answers how many rows the server took.
    func endCopy(_ operation: Operation) throws(PostgresError) -> Int {
        let deadline = Deadline(after: callDeadline)
        guard PQputCopyEnd(try live(operation), nil) == 1 else { throw refusal(operation) }
        try flush(until: deadline, operation)
        return try lastRows(until: deadline, operation).affected
    }

    /// Makes the server refuse the rows sent so far.
    func abortCopy(_ operation: Operation) {
        guard let pointer else { return }
        let deadline = Deadline(after: callDeadline)
        do throws(PostgresError) {
            guard PQputCopyEnd(pointer, "the client gave up") == 1 else { throw refusal(operation) }
            try flush(until: deadline, operation)
            _ = try lastRows(until: deadline, operation)
        } catch {
            _ = settle(error)
        }
    }
}
