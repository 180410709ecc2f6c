import Postgres

/// Batches that were in hand when workers crashed: reserved by one worker at a time, and tried alone.
struct CrashSuspectStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// Reserves the next suspect; nil when there is none, or when another worker is at one.
    func reserve() async throws -> Int64? {
        let statement = PostgresStatement("SELECT id FROM dispatcher.reserve_suspect($1) AS s(id)", [.int8(worker)])
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            return rows.count == 0 ? nil : try rows.int8(0, 0)
        }
    }

    /// Says, before it is looked at, that nothing else is in hand; false when it is no longer ours.
    func beginTrial(_ id: Int64) async throws -> Bool {
        let statement = PostgresStatement(
            "UPDATE dispatcher.batch SET is_alone = true WHERE id = $1 AND worker_id = $2 AND suspicion = 1",
            [.int8(id), .int8(worker)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected == 1
        }
    }
}
