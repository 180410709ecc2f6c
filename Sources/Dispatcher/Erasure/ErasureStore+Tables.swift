import DispatchCore
import Postgres

/// The tables in which erased people are found by their devices or their ids.
extension ErasureStore {
    /// Rows looked through by one statement.
    private static let window = 20_000

    /// Rows removed by one statement.
    private static let step = 5_000

    /// Removes retired and direct registrations that hold a push channel of an erased device.
    func removeChannels(_ orders: [ErasureOrder]) async throws {
        guard orders.contains(where: { !$0.devices.isEmpty }), let last = orders.map(\.requestedAt).max() else {
            return
        }
        var cursor: Int64? = 0
        while let from = cursor {
            cursor = try await removeChannels(orders, after: from, before: last)
            try await renew(orders)
        }
    }

    private func removeChannels(_ orders: [ErasureOrder], after id: Int64, before time: Timestamp) async throws
        -> Int64?
    {
        let statement = PostgresStatement(
            """
            WITH seen AS (
                SELECT id, hub_id, is_direct OR retired_at IS NOT NULL AS is_loose, push_channel, registered_at
                FROM dispatcher.installation WHERE id > $2 ORDER BY id LIMIT $3
            ),
            gone AS (
                DELETE FROM dispatcher.installation i USING seen s
                WHERE i.id = s.id AND s.is_loose AND s.registered_at <= $4 AND EXISTS (
                    SELECT FROM dispatcher.tombstone t
                    WHERE t.erasure_id = ANY ($1) AND t.hub_id = s.hub_id
                      AND t.name_hash = dispatcher.name_hash(s.hub_id, 3::smallint, s.push_channel))
            )
            SELECT max(id) FROM seen
            """,
            [
                orders.ids, .int8(id), .int8(Int64(Self.window)),
                .timestamptz(microsecondsSinceUnixEpoch: time.microseconds),
            ]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).int8OrNull(0, 0)
        }
    }

    /// Removes the receipts of erased devices and the replies among what is known by them, day by day.
    ///
    /// Their times and counts stay: nothing leads from a device's number to anybody any more.
    func removeReceipts(_ orders: [ErasureOrder], retentionDays: Int) async throws {
        guard orders.contains(where: { !$0.devices.isEmpty }) else { return }
        for day in 0...retentionDays + 1 {
            try await execute(
                """
                WITH devices AS (
                    SELECT erasure_id, installation FROM dispatcher.erased_device WHERE erasure_id = ANY ($1)
                ),
                day AS (
                    SELECT dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - $2::int4) AS first,
                           dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - $2::int4 + 1) AS next
                ),
                gone AS (
                    DELETE FROM dispatcher.receipt r USING devices d, day
                    WHERE r.notification_id >= day.first AND r.notification_id < day.next
                      AND r.installation_id = d.installation
                    RETURNING d.erasure_id
                ),
                emptied AS (
                    UPDATE dispatcher.reading g SET reply = NULL FROM devices d, day
                    WHERE g.notification_id >= day.first AND g.notification_id < day.next
                      AND g.installation_id = d.installation AND g.reply IS NOT NULL
                )
                UPDATE dispatcher.erasure e SET receipts = e.receipts + c.count
                FROM (SELECT erasure_id, count(*) FROM gone GROUP BY 1) c
                WHERE e.id = c.erasure_id
                """,
                [orders.ids, .int4(Int32(day))]
            )
            try await renew(orders)
        }
    }

    /// Empties the inboxes.
    func removeInboxes(_ orders: [ErasureOrder]) async throws {
        for order in orders {
            while try await removeInboxStep(order) == Self.step { try await renew(orders) }
        }
    }

    /// A notification that was being planned at the moment of the erasure may be some milliseconds younger.
    private func removeInboxStep(_ order: ErasureOrder) async throws -> Int {
        try await execute(
            """
            DELETE FROM dispatcher.inbox WHERE (hub_id, user_id, notification_id) IN (
                SELECT x.hub_id, x.user_id, x.notification_id FROM dispatcher.inbox x
                WHERE x.hub_id = $1 AND x.user_id = $2 AND (NOT $4 OR x.created_at <= $3::timestamptz + interval '1 second')
                LIMIT $5)
            """,
            [
                .int4(order.hub), .text(order.user),
                .timestamptz(microsecondsSinceUnixEpoch: order.requestedAt.microseconds), .bool(order.isBack),
                .int8(Int64(Self.step)),
            ]
        )
    }

    /// Removes what was to be told of erased people.
    func removeEvents(_ orders: [ErasureOrder]) async throws {
        for order in orders {
            try await execute(
                """
                DELETE FROM dispatcher.outbox o
                WHERE o.hub_id = $1 AND o.event IS NOT NULL AND (NOT $5 OR o.created_at <= $4::timestamptz + interval '1 second')
                  AND (o.user_id = $2 OR o.installation_id IN (
                      SELECT d.installation FROM dispatcher.erased_device d WHERE d.erasure_id = $3))
                """,
                [
                    .int4(order.hub), .text(order.user), .uuid(high: order.id.high, low: order.id.low),
                    .timestamptz(microsecondsSinceUnixEpoch: order.requestedAt.microseconds), .bool(order.isBack),
                ]
            )
        }
    }
}
