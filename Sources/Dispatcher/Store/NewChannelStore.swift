import DispatchCore
import Postgres

/// Stores the push channels that gateways name in the place of others.
struct NewChannelStore: Sendable {
    let pool: PostgresPool

    /// Gives devices their new channels; a device that has registered another one meanwhile keeps that.
    ///
    /// One whose new channel belongs to another registration is that device under an old name: it is retired. An address
    /// in a job stays as the job has it.
    func replace(_ channels: [BatchRecord.NewChannel]) async throws {
        let statement = PostgresStatement(
            """
            WITH named AS (
                SELECT i.id, i.hub_id, i.platform, n.new,
                       row_number() OVER (PARTITION BY i.hub_id, i.platform, n.new ORDER BY i.registered_at DESC, i.id DESC)
                           AS rank
                FROM unnest($1::int8[], $2::text[], $3::text[]) AS n(id, old, new)
                JOIN dispatcher.installation i ON i.id = n.id
                WHERE i.push_channel = n.old AND i.retired_at IS NULL AND NOT i.is_direct
            ),
            locked AS (
                SELECT i.id, n.new, n.rank > 1 OR EXISTS (
                    SELECT FROM dispatcher.installation o
                    WHERE o.hub_id = n.hub_id AND o.platform = n.platform
                      AND hashtextextended(o.push_channel, 0) = hashtextextended(n.new, 0)
                      AND o.retired_at IS NULL AND NOT o.is_direct) AS is_taken
                FROM named n
                JOIN dispatcher.installation i ON i.id = n.id
                ORDER BY i.id
                FOR UPDATE OF i
            )
            UPDATE dispatcher.installation i
            SET push_channel = CASE WHEN l.is_taken THEN i.push_channel ELSE l.new END,
                retired_at = CASE WHEN l.is_taken THEN clock_timestamp() END,
                retire_reason = CASE WHEN l.is_taken THEN 'ChannelTaken' END,
                updated_at = greatest(clock_timestamp(), i.updated_at + interval '1 microsecond')
            FROM locked l
            WHERE i.id = l.id AND i.push_channel = ANY ($2) AND i.retired_at IS NULL
            """,
            [
                .int8s(channels.map(\.installation.rawValue)),
                .texts(channels.map(\.old)),
                .texts(channels.map(\.new)),
            ]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
