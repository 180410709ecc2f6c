import Postgres

extension PostgresPool {
    /// Runs the body in a transaction of the API that sees one hub and nothing else.
    func inHub<R: Sendable>(
        _ hub: Int32,
        _ body: @escaping @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await inHub(hub, opening: []) { session, _ in try body(session) }
    }

    /// The same, with statements that go along with the start of the transaction in one round trip.
    func inHub<R: Sendable>(
        _ hub: Int32,
        opening statements: [PostgresStatement],
        _ body: @escaping @Sendable (borrowing PostgresSession, [PostgresRows]) throws -> R
    ) async throws -> R {
        let opening = [PostgresStatement.setting(hub: hub)] + statements
        return try await undisturbed { session in
            try session.throwingTransaction(opening: opening) { session, rows in
                try body(session, Array(rows.dropFirst()))
            }
        }
    }

    /// Asks what one statement answers: a transaction of the API in a single round trip.
    func inHub<R: Sendable>(
        _ hub: Int32,
        ask statement: PostgresStatement,
        _ read: @escaping @Sendable (PostgresRows) throws -> R
    ) async throws -> R {
        try await inHub(hub, ask: [statement]) { try read($0[0]) }
    }

    /// The same for several statements, none of which needs another's answer.
    func inHub<R: Sendable>(
        _ hub: Int32,
        ask statements: [PostgresStatement],
        _ read: @escaping @Sendable ([PostgresRows]) throws -> R
    ) async throws -> R {
        try await undisturbed { session in
            // Outside a transaction block a pipeline is one transaction, so the setting holds for it and ends with it.
            try read(Array(try session.pipeline([.setting(hub: hub)] + statements).dropFirst()))
        }
    }

    /// Goes on when the caller is cancelled.
    ///
    /// A call that is cut off loses its connection, and clients that ask and go away must not cost the others theirs. The
    /// statements' own time limit ends it.
    private func undisturbed<R: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await Task { try await withThrowingSession(body) }.value
    }
}

extension PostgresStatement {
    /// Local: it ends with the transaction, so a connection never carries a hub to the next request.
    fileprivate static func setting(hub: Int32) -> PostgresStatement {
        PostgresStatement("SELECT set_config('dispatcher.hub_id', $1, true)", [.text(String(hub))])
    }
}
