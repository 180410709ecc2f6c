import DispatchCore
import Postgres

/// Takes batches: the claim is the intent, committed before the first gateway call.
struct BatchStore: Sendable {
    let pool: PostgresPool
    let worker: Int64
    let hubs: HubDirectory

    /// Claims a queued batch and reads all it takes to send it; nil when another worker has it or it is done.
    func claim(_ id: Int64) async throws -> BatchWork? {
        // One transaction: the claim is committed with the reads that follow it.
        if let work = try await work(id, from: claimStatement(id)) { return work }
        try await putBack(id)
        return nil
    }

    /// Whether anyone may begin a batch; suspects of crashing workers are tried alone, and the rest of their audience waits.
    static let mayBegin = "(suspicion = 2 OR suspicion = 0 AND NOT dispatcher.is_held(notification_ids))"

    /// Has a batch that has to wait announced again when it need not any more.
    private func putBack(_ id: Int64) async throws {
        let statement = PostgresStatement(
            "UPDATE dispatcher.batch SET published_at = NULL WHERE id = $1 AND worker_id IS NULL",
            [.int8(id)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Reads a batch that was begun before; nil when it is not ours.
    func read(_ id: Int64) async throws -> BatchWork? {
        try await work(id, from: ownedStatement(id))
    }

    private func work(_ id: Int64, from head: PostgresStatement) async throws -> BatchWork? {
        let rows = try await pool.withSession { session throws(PostgresError) -> ClaimedRows? in
            let results = try session.pipeline([head, notificationsStatement(id), devicesStatement(id)])
            guard results[0].count == 1 else { return nil }
            return try ClaimedRows(batch: results[0], notifications: results[1], devices: results[2])
        }
        guard let rows else { return nil }
        let known = try await hubs.hubs(ids: Set(rows.notifications.compactMap { $0?.hub }))
        return rows.work(id: id, hubs: known)
    }

    private func claimStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.batch SET worker_id = $2, epoch = epoch + 1
            WHERE id = $1 AND worker_id IS NULL AND \(Self.mayBegin)
            RETURNING epoch, lane, is_ambiguous, audience_sizes, installation_ids, attempts
            """,
            [.int8(id), .int8(worker)]
        )
    }

    private func ownedStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT epoch, lane, is_ambiguous, audience_sizes, installation_ids, attempts
            FROM dispatcher.batch
            WHERE id = $1 AND worker_id = $2
            """,
            [.int8(id), .int8(worker)]
        )
    }

    private func notificationsStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT n.id, n.job_id, n.hub_id, n.expires_at, n.cancelled_at IS NOT NULL, n.body,
                   n.quarantined_at IS NOT NULL OR b.suspicion = 2, n.at_most_once
            FROM dispatcher.batch b
            CROSS JOIN LATERAL unnest(b.notification_ids) WITH ORDINALITY AS p(id, position)
            LEFT JOIN dispatcher.notification n ON n.id = p.id
            WHERE b.id = $1 AND b.worker_id = $2
            ORDER BY p.position
            """,
            [.int8(id), .int8(worker)]
        )
    }

    /// Each device once, in key order.
    ///
    /// A piece of a large audience is nearly all of its range of keys, and reading the range costs a third of looking
    /// up its members; the one-time filters choose, so only one branch runs. A small audience is in no order, so its first
    /// and last member say nothing about the range.
    private func devicesStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            WITH b AS MATERIALIZED (
                SELECT installation_ids AS ids, installation_ids[1] AS low,
                       installation_ids[cardinality(installation_ids)] AS high,
                       cardinality(notification_ids) = 1 AND cardinality(installation_ids) > $3
                           AND installation_ids[cardinality(installation_ids)] - installation_ids[1]
                               < 2 * cardinality(installation_ids) AS is_dense
                FROM dispatcher.batch
                WHERE id = $1 AND worker_id = $2
            )
            SELECT \(AudienceLookup.deviceColumns)
            FROM dispatcher.installation i
            WHERE (SELECT is_dense FROM b) AND i.id >= (SELECT low FROM b) AND i.id <= (SELECT high FROM b)
              AND i.retired_at IS NULL
            UNION ALL
            SELECT \(AudienceLookup.deviceColumns)
            FROM dispatcher.installation i
            WHERE NOT (SELECT is_dense FROM b) AND i.id = ANY ((SELECT ids FROM b)::int8[]) AND i.retired_at IS NULL
            ORDER BY 1
            """,
            [.int8(id), .int8(worker), .int4(Int32(LaneProfile.smallAudience))]
        )
    }

    /// Tells that the broker has these batches.
    func markPublished(_ ids: [Int64]) async throws {
        let statement = PostgresStatement(
            "UPDATE dispatcher.batch SET published_at = now() WHERE id = ANY ($1::int8[])",
            [.int8s(ids)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
