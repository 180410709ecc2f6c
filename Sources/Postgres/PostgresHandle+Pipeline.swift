import CPostgres

extension PostgresHandle {
    /// One queued command: a preparation, or an execution when there is no key to remember.
    private struct Step {
        let index: Int
        let prepares: PreparedStatements.Key?
        let name: String?
    }

    /// What the steps came to.
    private struct Outcome {
        var rows: [PostgresRows] = []
        var failure: PostgresError?
    }

    /// Sends all, then one sync, then reads all.
    func pipeline(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        let operation = Operation.named("pipeline")
        try validate(statements)
        try forget()
        let connection = try live(operation)
        let wasInTransaction = isInTransaction
        let deadline = Deadline(after: callDeadline)
        guard PQenterPipelineMode(connection) == 1 else { throw refusal(operation) }
        let steps = try queue(statements, on: connection)
        guard PQpipelineSync(connection) == 1 else { throw refusal(operation) }
        try flush(until: deadline, operation)
        var outcome = Outcome()
        outcome.rows.reserveCapacity(statements.count)
        for step in steps { try read(step, of: statements, into: &outcome, until: deadline) }
        try readSync(into: &outcome, until: deadline)
        guard PQexitPipelineMode(connection) == 1 else { throw refusal(operation) }
        guard let failure = outcome.failure else { return outcome.rows }
        if !wasInTransaction { rollBack() }
        throw settle(failure)
    }

    private func validate(_ statements: [PostgresStatement]) throws(PostgresError) {
        for (index, statement) in statements.enumerated() {
            do throws(PostgresError) {
                try statement.validate(operation: Operation.statement(statement).text)
            } catch {
                var error = error
                error.statementIndex = index
                throw error
            }
        }
    }

    private func queue(
        _ statements: [PostgresStatement],
        on connection: OpaquePointer
    ) throws(PostgresError) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(statements.count + 8)
        var queued: [PreparedStatements.Key: String] = [:]
        for (index, statement) in statements.enumerated() {
            let key = statement.prepared ? PreparedStatements.Key(statement) : nil
            var name = key.flatMap { self.statements.name(of: $0) ?? queued[$0] }
            if let key, name == nil {
                let new = self.statements.makeName()
                guard sendPrepare(statement, name: new, on: connection) else { throw refusal(.statement(statement)) }
                steps.append(Step(index: index, prepares: key, name: new))
                queued[key] = new
                name = new
            }
            guard send(statement, name: name, on: connection) else { throw refusal(.statement(statement)) }
            steps.append(Step(index: index, prepares: nil, name: nil))
        }
        return steps
    }

    private func read(
        _ step: Step,
        of statements: [PostgresStatement],
        into outcome: inout Outcome,
        until deadline: Deadline
    ) throws(PostgresError) {
        let operation = Operation.statement(statements[step.index])
        while let result = try nextResult(until: deadline, operation) {
            let rows = PostgresRows(adopting: result)
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                if let key = step.prepares, let name = step.name {
                    remember(key, name: name)
                } else {
                    outcome.rows.append(rows)
                }
            case PGRES_PIPELINE_ABORTED:
                break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                throw retire(PostgresError(.protocol, operation: operation.text))
            default:
                try note(PostgresError(result: result, operation: operation.text), at: step.index, &outcome)
                if statements[step.index].prepared, let failure = outcome.failure {
                    forgetIfStale(PreparedStatements.Key(statements[step.index]), failure)
                }
            }
        }
    }

    /// The sync's own result comes after all others and no NULL follows it; an error before it is that of the commit,
    /// such as a deferred constraint.
    private func readSync(into outcome: inout Outcome, until deadline: Deadline) throws(PostgresError) {
        let operation = Operation.named("pipeline commit")
        var gaps = 0
        while gaps < 2 {
            guard let result = try nextResult(until: deadline, operation) else {
                gaps += 1
                continue
            }
            defer { PQclear(result) }
            gaps = 0
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
            try note(PostgresError(result: result, operation: operation.text), at: nil, &outcome)
        }
        throw refusal(operation)
    }

    /// Keeps the first error; one that ends the connection is thrown at once.
    private func note(_ error: PostgresError, at index: Int?, _ outcome: inout Outcome) throws(PostgresError) {
        var error = error
        error.statementIndex = index
        outcome.failure = outcome.failure ?? error
        if error.kind == .connection { throw settle(outcome.failure ?? error) }
    }
}
