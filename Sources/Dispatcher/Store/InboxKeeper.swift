import Postgres

/// Takes out of inboxes what does not belong there any more, in steps that hold their locks for a moment each.
struct InboxKeeper: Sendable {
    let pool: PostgresPool

    /// Rows removed by one statement.
    static let step = 5_000

    /// Takes back a part of what was cancelled; answers whether there may be more.
    ///
    /// Each withdrawal is a probe of the key, however the planner thinks of the small table: to merge the two would read all
    /// that is older.
    func removeWithdrawn() async throws -> Bool {
        let removal = PostgresStatement(
            """
            DELETE FROM dispatcher.inbox WHERE (notification_id, user_id) IN (
                SELECT x.notification_id, x.user_id
                FROM dispatcher.withdrawal w
                CROSS JOIN LATERAL (
                    SELECT notification_id, user_id FROM dispatcher.inbox
                    WHERE notification_id = w.notification_id
                    LIMIT $1
                    FOR UPDATE SKIP LOCKED
                ) x
                LIMIT $1)
            """,
            [.int8(Int64(Self.step))]
        )
        // A planner that is at it may add rows until it sees the cancel; then its plan is gone.
        let ended = PostgresStatement(
            """
            DELETE FROM dispatcher.withdrawal w
            WHERE (SELECT true FROM dispatcher.inbox WHERE notification_id = w.notification_id LIMIT 1) IS NULL
              AND (SELECT true FROM dispatcher.plan WHERE notification_id = w.notification_id LIMIT 1) IS NULL
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            let isFull = try session.execute(removal).affected == Self.step
            if !isFull { try session.execute(ended) }
            return isFull
        }
    }

    /// Removes a part of what is older than the retention, before its notifications go; answers whether there may be more.
    func removeOld(retentionDays: Int) async throws -> Bool {
        let removal = PostgresStatement(
            """
            DELETE FROM dispatcher.inbox WHERE (notification_id, user_id) IN (
                SELECT x.notification_id, x.user_id
                FROM dispatcher.inbox x
                WHERE x.notification_id < dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - $1)
                ORDER BY x.notification_id, x.user_id
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """,
            [.int4(Int32(clamping: retentionDays)), .int8(Int64(Self.step))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(removal).affected == Self.step
        }
    }
}
