import DispatchCore
import Postgres

/// Dead letters, in which anything may stand.
extension ErasureStore {
    struct StoredLetter: Sendable {
        let id: Int64
        let hub: String?
        let receivedAt: Timestamp
        let body: [UInt8]
    }

    /// The next letters of these hubs, or of none that is known.
    func letters(after id: Int64, of orders: [ErasureOrder]) async throws -> [StoredLetter] {
        let statement = PostgresStatement(
            """
            SELECT id, hub, received_at, body FROM dispatcher.dead_letter
            WHERE id > $1 AND (hub IS NULL OR hub = ANY ($2))
            ORDER BY id LIMIT 100
            """,
            [.int8(id), .texts(Set(orders.map(\.hubName)))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var letters: [StoredLetter] = []
            for row in 0..<rows.count {
                letters.append(
                    StoredLetter(
                        id: try rows.int8(row, 0),
                        hub: try rows.textOrNull(row, 1),
                        receivedAt: Timestamp(microseconds: try rows.timestamp(row, 2)),
                        body: try rows.bytes(row, 3)
                    )
                )
            }
            return letters
        }
    }

    /// Closes and empties letters, so that the next turn of the queue takes their messages out.
    func emptyLetters(_ ids: [Int64]) async throws {
        try await execute(
            """
            UPDATE dispatcher.dead_letter
            SET is_open = false, discarded_at = clock_timestamp(), body = '', message_id = NULL, job_id = NULL, path = NULL,
                headers = NULL, detail = 'erased', reason = 'erased'
            WHERE id = ANY ($1)
            """,
            [.int8s(ids)]
        )
    }

    /// Removes emptied letters whose messages are gone.
    func removeEmptiedLetters(_ ids: [Int64]) async throws {
        try await execute(
            "DELETE FROM dispatcher.dead_letter WHERE id = ANY ($1) AND NOT is_open AND reason = 'erased'",
            [.int8s(ids)]
        )
    }

    /// How many messages have to lie in `push.dead`.
    func openLetters() async throws -> Int {
        let statement = PostgresStatement("SELECT count(*) FROM dispatcher.dead_letter WHERE is_open")
        return try await pool.withSession { session throws(PostgresError) in
            Int(try session.execute(statement).int8(0, 0))
        }
    }
}
