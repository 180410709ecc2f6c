import DispatchCore
import Postgres

/// Work whose time has come, work that was never announced, and work whose worker is gone.
struct ScheduleStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// Batches announced by one look, so that a backlog never holds many rows locked.
    static let batchesPerTick = 500

    struct Announcement: Sendable {
        let batch: PlanStore.PlannedBatch
        let lane: Lane
    }

    /// From so many crashes on a batch is a suspect.
    static let suspiciousCrashes: Int32 = 2

    /// Moves up to `limit` due retries into batches; a row is taken by exactly one worker.
    func takeDueRetries(_ limit: Int) async throws -> [Announcement] {
        guard limit > 0 else { return [] }
        return try await cut("SELECT id, size, lane FROM dispatcher.take_retries($1, $2, $3)", limit)
    }

    /// Moves up to `limit` retries of cancelled notifications into batches, in which they end.
    func takeCancelledRetries(_ limit: Int) async throws -> [Announcement] {
        try await cut("SELECT id, size, lane FROM dispatcher.take_cancelled($1, $2, $3)", limit)
    }

    private func cut(_ sql: String, _ limit: Int) async throws -> [Announcement] {
        let statement = PostgresStatement(
            sql,
            [
                .int4(Int32(clamping: limit)),
                .int4(Int32(LaneProfile.of(.high).batchLimit)),
                .int4(Int32(LaneProfile.of(.normal).batchLimit)),
            ]
        )
        return try await announcements(statement)
    }

    /// Batches that were committed a while ago and that the broker never confirmed, or has lost since.
    ///
    /// One that only waits in a long queue is announced twice; the second announcement finds it taken.
    func findUnannounced() async throws -> [Announcement] {
        try await announcements(
            PostgresStatement(
                """
                SELECT id, cardinality(installation_ids), lane
                FROM dispatcher.batch
                WHERE worker_id IS NULL AND \(BatchStore.mayBegin)
                  AND (published_at IS NULL AND created_at < now() - interval '10 seconds'
                       OR published_at < now() - interval '15 minutes')
                ORDER BY id
                LIMIT $1
                """,
                [.int8(Int64(Self.batchesPerTick))]
            )
        )
    }

    /// Has what waits in these lanes announced again: their queue is gone, with all that told of it.
    ///
    /// What is announced twice does no harm: the second announcement finds it taken.
    func forgetAnnouncements(_ lanes: [Lane]) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.batch SET published_at = NULL
            WHERE lane = ANY ($1::int2[]) AND worker_id IS NULL AND published_at IS NOT NULL
            """,
            [.int2s(lanes.map(\.rawValue))]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Takes batches and plans from workers whose lease has ended; what was begun is ambiguous from here on.
    ///
    /// A batch that so many workers had in hand when they ended is a suspect: it is not announced, but tried alone.
    func rescue(suspectAfter crashes: Int32 = Self.suspiciousCrashes) async throws -> Rescue {
        try await releasePlans()
        let statement = PostgresStatement(
            "SELECT found_id, found_size, found_lane, verdict, about FROM dispatcher.rescue_batches($1, $2)",
            [.int4(Int32(Self.batchesPerTick)), .int4(crashes)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var rescue = Rescue()
            for row in 0..<rows.count { try rescue.add(rows, row) }
            return rescue
        }
    }

    /// The batches that this worker has begun, as the database knows them.
    func ownedBatches() async throws -> [Int64] {
        try await owned("SELECT id FROM dispatcher.batch WHERE worker_id = $1")
    }

    /// The plans that this worker holds, as the database knows them.
    func ownedPlans() async throws -> [Int64] {
        try await owned("SELECT notification_id FROM dispatcher.plan WHERE worker_id = $1")
    }

    private func owned(_ sql: String) async throws -> [Int64] {
        let statement = PostgresStatement(sql, [.int8(worker)])
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var ids: [Int64] = []
            for row in 0..<rows.count { ids.append(try rows.int8(row, 0)) }
            return ids
        }
    }

    /// Gives up batches of this worker, ambiguous, for anyone to take.
    func giveBack(_ ids: [Int64]) async throws -> [Announcement] {
        try await announcements(
            PostgresStatement(
                """
                UPDATE dispatcher.batch
                SET worker_id = NULL, epoch = epoch + 1, is_ambiguous = true, published_at = NULL, is_alone = false
                WHERE id = ANY ($1::int8[]) AND worker_id = $2
                RETURNING id, cardinality(installation_ids), lane
                """,
                [.int8s(ids), .int8(worker)]
            )
        )
    }

    /// Gives up plans of this worker, for anyone to go on with.
    func giveBackPlans(_ ids: [Int64]) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.plan SET worker_id = NULL, epoch = epoch + 1
            WHERE notification_id = ANY ($1::int8[]) AND worker_id = $2
            """,
            [.int8s(ids), .int8(worker)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    private func releasePlans() async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.plan p SET worker_id = NULL, epoch = p.epoch + 1
            WHERE p.worker_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM dispatcher.worker w WHERE w.id = p.worker_id AND w.lease_until >= clock_timestamp())
            """
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    private func announcements(_ statement: PostgresStatement) async throws -> [Announcement] {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [Announcement] = []
            for row in 0..<rows.count {
                let batch = PlanStore.PlannedBatch(id: try rows.int8(row, 0), size: Int(try rows.int4(row, 1)))
                found.append(Announcement(batch: batch, lane: Lane(rawValue: try rows.int2(row, 2)) ?? .normal))
            }
            return found
        }
    }
}
