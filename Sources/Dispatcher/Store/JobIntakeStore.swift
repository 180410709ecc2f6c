import Postgres

/// Forgets what the API has remembered of jobs that became notifications.
struct JobIntakeStore: Sendable {
    let pool: PostgresPool

    /// Rows removed by one statement.
    private static let step = 5_000

    /// Removes a step's rows; answers whether there may be more.
    ///
    /// Those that never became notifications stay as long as notifications do: their dead letters say why.
    func clean(retentionDays: Int) async throws -> Bool {
        let statement = PostgresStatement(
            """
            DELETE FROM dispatcher.job_intake WHERE (job_id, hub_id) IN (
                SELECT k.job_id, k.hub_id FROM dispatcher.job_intake k
                WHERE k.taken_at < now() - interval '1 minute'
                  AND (k.taken_at < now() - $1::int4 * interval '1 day' OR EXISTS (
                      SELECT FROM dispatcher.notification n WHERE n.job_id = k.job_id AND n.hub_id = k.hub_id))
                LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            [.int4(Int32(clamping: retentionDays)), .int8(Int64(Self.step))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected == Self.step
        }
    }
}
