import Postgres

extension PostgresPool {
    /// Runs the body in a transaction of the API that sees one hub and nothing else.
    func inHub<R: Sendable>(
        _ hub: Int32,
        _ body: @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await withThrowingSession { session in
            try session.throwingTransaction { session in
                // Local: it ends with the transaction, so a connection never carries a hub to the next request.
                let statement = PostgresStatement(
                    "SELECT set_config('dispatcher.hub_id', $1, true)",
                    [.text(String(hub))]
                )
                try session.execute(statement)
                return try body(session)
            }
        }
    }
}
