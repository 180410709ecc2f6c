import DispatchCore
import Postgres

extension DeadLetterStore {
    /// What the table says about a message in `push.dead`: which generation of it belongs there, nil when none does.
    struct Place: Sendable {
        let openGeneration: Int?
    }

    /// The rows of these messages; one without a row has no entry.
    func places(of fingerprints: [[UInt8]]) async throws -> [[UInt8]: Place] {
        let statement = PostgresStatement(
            """
            SELECT fingerprint, CASE WHEN is_open THEN generation END
            FROM dispatcher.dead_letter WHERE fingerprint = ANY ($1::bytea[])
            """,
            [.byteas(fingerprints)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [[UInt8]: Place] = [:]
            for row in 0..<rows.count {
                let generation = try rows.int4OrNull(row, 1).map { Int($0) }
                found[try rows.bytes(row, 0)] = Place(openGeneration: generation)
            }
            return found
        }
    }

    /// Letters whose message has to lie in `push.dead`.
    func openCount() async throws -> Int {
        let statement = PostgresStatement(
            "SELECT count(*) FROM dashboard.dead_letters WHERE state = 'open' AND published_at IS NOT NULL"
        )
        return try await pool.withSession { session throws(PostgresError) in
            Int(try session.execute(statement).int8(0, 0))
        }
    }

    /// The database's time.
    func now() async throws -> Timestamp {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(PostgresStatement("SELECT clock_timestamp()"))
            return Timestamp(microseconds: try rows.timestamp(0, 0))
        }
    }

    /// Open letters that were confirmed in the queue before the time, and are not among those seen there.
    func missing(before time: Timestamp, seen: Set<[UInt8]>) async throws -> [Int64] {
        let statement = PostgresStatement(
            "SELECT id, fingerprint FROM dispatcher.dead_letter WHERE is_open AND published_at < $1 ORDER BY id",
            [.timestamptz(microsecondsSinceUnixEpoch: time.microseconds)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [Int64] = []
            for row in 0..<rows.count where !seen.contains(try rows.bytes(row, 1)) {
                found.append(try rows.int8(row, 0))
            }
            return found
        }
    }

    /// These letters with their bodies.
    func contents(of ids: [Int64]) async throws -> [DeadLetterContent] {
        let statement = PostgresStatement(
            """
            SELECT \(DeadLetterContent.columns) FROM dispatcher.dead_letter
            WHERE id = ANY ($1::int8[]) AND is_open ORDER BY id
            """,
            [.int8s(ids)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [DeadLetterContent] = []
            for row in 0..<rows.count { found.append(try DeadLetterContent(rows, row)) }
            return found
        }
    }
}
