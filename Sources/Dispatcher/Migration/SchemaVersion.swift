import Postgres

/// The schema this program was written for.
enum SchemaVersion {
    /// The number of the last migration that the code relies on.
    static let current = 27

    /// The last migration applied; 0 for an empty database.
    static func applied(_ pool: PostgresPool) async throws -> Int {
        try await pool.withSession { session throws(PostgresError) in
            let exists = try session.execute(
                PostgresStatement("SELECT to_regclass('dispatcher.migration') IS NOT NULL")
            ).bool(0, 0)
            guard exists else { return 0 }
            let statement = PostgresStatement("SELECT coalesce(max(version), 0)::int4 FROM dispatcher.migration")
            return Int(try session.execute(statement).int4(0, 0))
        }
    }

    /// Waits until the database answers, then insists on a schema that is new enough.
    static func requireCurrent(_ pool: PostgresPool, log: Log) async throws {
        let backoff = Backoff()
        var failures = 0
        while true {
            do {
                let found = try await applied(pool)
                guard found >= current else { throw MigrationError.olderSchema(found: found, known: current) }
                return
            } catch let error as PostgresError where error.policy != .permanent {
                failures += 1
                log.warning("database.wait", ["failures": failures, "error": error])
                await backoff.wait(failures)
            }
        }
    }
}
