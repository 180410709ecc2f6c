import DispatchCore
import Postgres

extension DeadLetterStore {
    /// The newest first, at most `limit`, of those before the row `after`.
    func list(_ filter: DeadLetterFilter, limit: Int, after: Int64?) async throws -> [DeadLetterSummary] {
        let statement = PostgresStatement(
            """
            SELECT \(DeadLetterSummary.columns) FROM dashboard.dead_letters
            WHERE \(DeadLetterFilter.condition) AND id < $8
            ORDER BY id DESC LIMIT $9
            """,
            filter.parameters + [.int8(after ?? .max), .int8(Int64(limit))]
        )
        return try await summaries(statement)
    }

    private func summaries(_ statement: PostgresStatement) async throws -> [DeadLetterSummary] {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [DeadLetterSummary] = []
            for row in 0..<rows.count { found.append(try DeadLetterSummary(rows, row)) }
            return found
        }
    }

    /// One letter with all that is known of it; nil when there is none.
    func letter(_ id: Int64) async throws -> (summary: DeadLetterSummary, content: DeadLetterContent)? {
        let summary = PostgresStatement(
            "SELECT \(DeadLetterSummary.columns) FROM dashboard.dead_letters WHERE id = $1",
            [.int8(id)]
        )
        let content = PostgresStatement(
            "SELECT \(DeadLetterContent.columns) FROM dispatcher.dead_letter WHERE id = $1",
            [.int8(id)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let answers = try session.pipeline([summary, content])
            guard answers[0].count == 1, answers[1].count == 1 else { return nil }
            return (try DeadLetterSummary(answers[0], 0), try DeadLetterContent(answers[1], 0))
        }
    }

    /// The next ids in order of arrival, at most `limit`, of those behind the row `after`.
    func ids(_ filter: DeadLetterFilter, limit: Int, after: Int64) async throws -> [Int64] {
        let statement = PostgresStatement(
            """
            SELECT id FROM dashboard.dead_letters
            WHERE \(DeadLetterFilter.condition) AND id > $8
            ORDER BY id LIMIT $9
            """,
            filter.parameters + [.int8(after), .int8(Int64(limit))]
        )
        return try await identifiers(statement)
    }

    func identifiers(_ statement: PostgresStatement) async throws -> [Int64] {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [Int64] = []
            for row in 0..<rows.count { found.append(try rows.int8(row, 0)) }
            return found
        }
    }

    /// What became of each of these; a missing one has no entry.
    func states(of ids: [Int64]) async throws -> [Int64: DeadLetterSummary] {
        let statement = PostgresStatement(
            "SELECT \(DeadLetterSummary.columns) FROM dashboard.dead_letters WHERE id = ANY ($1::int8[])",
            [.int8s(ids)]
        )
        let found = try await summaries(statement)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }
}
