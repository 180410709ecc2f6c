import Postgres

/// Counts how often a message was tried alone, so that one that kills workers is found out.
struct SuspectStore: Sendable {
    let pool: PostgresPool

    /// After this many tries alone the message itself is to blame.
    static let maximumTries = 3

    /// Counts one more try, committed before the message is touched; answers its number.
    func beginTry(_ fingerprint: [UInt8]) async throws -> Int {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.suspect (fingerprint) VALUES ($1)
            ON CONFLICT (fingerprint) DO UPDATE SET tries = suspect.tries + 1
            RETURNING tries
            """,
            [.bytea(fingerprint)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            Int(try session.execute(statement).int4(0, 0))
        }
    }

    /// The message was handled and the worker lives.
    func clear(_ fingerprint: [UInt8]) async throws {
        let statement = PostgresStatement(
            "DELETE FROM dispatcher.suspect WHERE fingerprint = $1",
            [.bytea(fingerprint)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
