import Postgres

/// Turns what users have read into silent jobs for their other devices.
struct BadgeSyncStore: Sendable {
    let pool: PostgresPool

    /// Users served by one look.
    static let usersPerTick = 500

    /// Takes the users whose time has come; each becomes one job of the hub's own, however much was read meanwhile.
    ///
    /// The count is not in it: a badge of what is unread is counted when it is rendered, so it is never old. A browser
    /// would have to show something, and who allows no notifications has no badge.
    func queueDue() async throws {
        let statement = PostgresStatement(
            """
            WITH due AS (
                DELETE FROM dispatcher.badge_sync b
                USING (
                    SELECT hub_id, user_id FROM dispatcher.badge_sync
                    WHERE due_at <= now()
                    ORDER BY due_at
                    LIMIT $1
                    FOR UPDATE SKIP LOCKED
                ) d
                WHERE b.hub_id = d.hub_id AND b.user_id = d.user_id
                RETURNING b.hub_id, b.user_id, b.notification_id, b.reader
            ),
            told AS (
                SELECT d.hub_id, d.notification_id, gen_random_uuid() AS job_id, i.ids
                FROM due d
                CROSS JOIN LATERAL (
                    SELECT jsonb_agg(o.installation_id) AS ids
                    FROM (
                        SELECT installation_id FROM dispatcher.installation
                        WHERE hub_id = d.hub_id AND user_id = d.user_id AND id IS DISTINCT FROM d.reader
                          AND retired_at IS NULL AND platform <> 3 AND permission <> 2
                        ORDER BY updated_at DESC
                        LIMIT 100
                    ) o
                ) i
                WHERE i.ids IS NOT NULL
            )
            INSERT INTO dispatcher.outbox (notification_id, hub_id, job_id, lane, body)
            SELECT t.notification_id, t.hub_id, t.job_id, 1, convert_to(jsonb_build_object(
                'id', t.job_id, 'hub', h.name, 'to', jsonb_build_object('installations', t.ids),
                'content', jsonb_build_object('badge', 'unread'),
                'options', jsonb_build_object('priority', 'low', 'collapseKey', 'unread', 'ttlSeconds', 3600,
                                              'inbox', false))::text, 'UTF8')
            FROM told t
            JOIN dispatcher.hub h ON h.id = t.hub_id
            """,
            [.int8(Int64(Self.usersPerTick))]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
