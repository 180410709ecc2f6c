import Postgres

/// Whose turn it is to write what an ordered queue brings.
struct TurnStore: Sendable {
    let pool: PostgresPool
    let queue: String

    struct Turn: Sendable {
        let queue: String
        let number: Int64

        /// Whether it is the latest; it stays so until the transaction ends.
        func isHeld(_ session: borrowing PostgresSession) throws(PostgresError) -> Bool {
            let statement = PostgresStatement(
                "SELECT number FROM dispatcher.turn WHERE queue = $1 AND number = $2 FOR SHARE",
                [.text(queue), .int8(number)]
            )
            return try session.execute(statement).count == 1
        }
    }

    /// Takes over, when whoever had the turn has ended the transaction it is in.
    func begin() async throws -> Turn {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.turn AS t (queue) VALUES ($1)
            ON CONFLICT (queue) DO UPDATE SET number = t.number + 1
            RETURNING number
            """,
            [.text(queue)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            Turn(queue: queue, number: try session.execute(statement).int8(0, 0))
        }
    }
}
