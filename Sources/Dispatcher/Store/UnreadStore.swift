import DispatchCore
import Postgres

/// Counts what the users of devices have not read.
struct UnreadStore: Sendable {
    let pool: PostgresPool

    /// The number for each of the devices that has a user: what is committed at this moment.
    ///
    /// A user of several devices is counted once.
    func counts(of devices: [InstallationKey]) async throws -> [InstallationKey: Int] {
        let statement = PostgresStatement(
            """
            WITH device AS MATERIALIZED (
                SELECT id, hub_id, user_id FROM dispatcher.installation
                WHERE id = ANY ($1::int8[]) AND user_id IS NOT NULL
            )
            SELECT d.id, u.unread
            FROM device d
            JOIN (
                SELECT hub_id, user_id, (
                    SELECT count(*) FROM dispatcher.inbox x
                    WHERE x.hub_id = one.hub_id AND x.user_id = one.user_id AND x.read_at IS NULL
                ) AS unread
                FROM (SELECT DISTINCT hub_id, user_id FROM device) one
            ) u USING (hub_id, user_id)
            """,
            [.int8s(devices.map(\.rawValue))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var counts: [InstallationKey: Int] = [:]
            counts.reserveCapacity(rows.count)
            for row in 0..<rows.count {
                let count = min(try rows.int8(row, 1), JobLimits.badge.upperBound)
                counts[InstallationKey(rawValue: try rows.int8(row, 0))] = Int(count)
            }
            return counts
        }
    }
}
