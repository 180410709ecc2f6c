import Postgres

/// Takes out of inboxes what does not belong there any more, in steps that hold their locks for a moment each.
struct InboxKeeper: Sendable {
    let pool: PostgresPool

    /// Rows removed by one statement.
    static let step = 5_000

    /// Takes back a part of what was cancelled; answers whether there may be more.
    func removeWithdrawn() async throws -> Bool {
        let removal = PostgresStatement(
            """
            DELETE FROM dispatcher.inbox WHERE (notification_id, user_id) IN (
                SELECT x.notification_id, x.user_id
                FROM dispatcher.withdrawal w
                JOIN dispatcher.inbox x ON x.notification_id = w.notification_id
                ORDER BY x.notification_id, x.user_id
                LIMIT $1
                FOR UPDATE OF x SKIP LOCKED)
            """,
            [.int8(Int64(Self.step))]
        )
        // A planner that is at it may add rows until it sees the cancel; then its plan is gone.
        let ended = PostgresStatement(
            """
            DELETE FROM dispatcher.withdrawal w
            WHERE NOT EXISTS (SELECT FROM dispatcher.inbox x WHERE x.notification_id = w.notification_id)
              AND NOT EXISTS (SELECT FROM dispatcher.plan p WHERE p.notification_id = w.notification_id)
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
