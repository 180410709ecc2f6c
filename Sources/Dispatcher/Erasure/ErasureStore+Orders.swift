import DispatchCore
import Postgres

extension ErasureStore {
    /// How long after the last marker what was taken from the queues before it may still be in somebody's hands.
    static let grace = Duration.seconds(3)

    /// How long the first look waits for the markers.
    private static let patience = Duration.seconds(30)

    /// Takes what is due for a look through the tables; answers also when the look begins.
    func claim() async throws -> (orders: [ErasureOrder], now: Timestamp) {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.erasure e SET claimed_until = clock_timestamp() + interval '1 minute'
            FROM dispatcher.hub h
            WHERE h.id = e.hub_id AND e.completed_at IS NULL
              AND (e.claimed_until IS NULL OR e.claimed_until < clock_timestamp())
              AND (e.settled_at < clock_timestamp() - $1::int8 * interval '1 microsecond'
                   OR e.passed_at IS NULL AND e.requested_at < clock_timestamp() - $2::int8 * interval '1 microsecond')
            RETURNING e.id, e.hub_id, h.name, e.user_id, e.requested_at, clock_timestamp(), EXISTS (
                SELECT FROM dispatcher.installation i WHERE i.hub_id = e.hub_id AND i.user_id = e.user_id
                  AND i.registered_at > e.requested_at)
            """,
            [.int8(Self.grace.microseconds), .int8(Self.patience.microseconds)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            guard rows.count > 0 else { return ([], Timestamp(microseconds: 0)) }
            var orders: [ErasureOrder] = []
            for row in 0..<rows.count { orders.append(try Self.order(rows, row, session)) }
            return (orders, Timestamp(microseconds: try rows.timestamp(0, 5)))
        }
    }

    /// Removes what is left of its devices first, so that the order knows them all.
    private static func order(
        _ rows: PostgresRows,
        _ row: Int,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) -> ErasureOrder {
        let raw = try rows.uuid(row, 0)
        let id = PostgresParameter.uuid(high: raw.high, low: raw.low)
        let step = 1_000
        let removal = PostgresStatement("SELECT dispatcher.erase_devices($1, $2)", [id, .int4(Int32(step))])
        while try session.execute(removal).int4(0, 0) == step {}
        let found = try session.execute(
            PostgresStatement("SELECT installation_id FROM dispatcher.erased_device WHERE erasure_id = $1", [id])
        )
        var devices: [String] = []
        for device in 0..<found.count { devices.append(try found.text(device, 0)) }
        return ErasureOrder(
            id: UUIDValue(high: raw.high, low: raw.low),
            hub: try rows.int4(row, 1),
            hubName: try rows.text(row, 2),
            user: try rows.text(row, 3),
            requestedAt: Timestamp(microseconds: try rows.timestamp(row, 4)),
            isBack: try rows.bool(row, 6),
            devices: devices,
            tombstones: try tombstones(where: "e.id = '\(UUIDValue(high: raw.high, low: raw.low))'", session)
        )
    }

    /// The look goes on.
    func renew(_ orders: [ErasureOrder]) async throws {
        try await execute(
            "UPDATE dispatcher.erasure SET claimed_until = clock_timestamp() + interval '1 minute' WHERE id = ANY ($1)",
            [orders.ids]
        )
    }

    /// The look has failed; anyone may begin another.
    func release(_ orders: [ErasureOrder]) async throws {
        try await execute("UPDATE dispatcher.erasure SET claimed_until = NULL WHERE id = ANY ($1)", [orders.ids])
    }

    /// The look that began then has seen everything.
    ///
    /// One that began after the markers completes its erasures: who it was
    /// is known by the digest alone from here on.
    func finish(_ orders: [ErasureOrder], begunAt: Timestamp) async throws {
        let finishing = PostgresStatement(
            """
            UPDATE dispatcher.erasure
            SET claimed_until = NULL, changed_at = clock_timestamp(), passed_at = $2,
                completed_at = CASE WHEN settled_at + $3::int8 * interval '1 microsecond' <= $2
                                    THEN clock_timestamp() END,
                user_id = CASE WHEN settled_at + $3::int8 * interval '1 microsecond' <= $2 THEN NULL ELSE user_id END
            WHERE id = ANY ($1)
            """,
            [
                orders.ids, .timestamptz(microsecondsSinceUnixEpoch: begunAt.microseconds),
                .int8(Self.grace.microseconds),
            ]
        )
        let forgetting = PostgresStatement(
            """
            DELETE FROM dispatcher.erased_device d USING dispatcher.erasure e
            WHERE e.id = d.erasure_id AND e.id = ANY ($1) AND e.completed_at IS NOT NULL
            """,
            [orders.ids]
        )
        try await pool.withSession { session throws(PostgresError) in
            _ = try session.pipeline([finishing, forgetting])
        }
    }

    /// Removes tombstones that stand no longer, and records of erasures after a year.
    func removeOld() async throws {
        try await execute(
            """
            DELETE FROM dispatcher.tombstone t USING dispatcher.erasure e
            WHERE e.id = t.erasure_id AND e.completed_at IS NOT NULL AND e.until < now()
            """
        )
        try await execute("DELETE FROM dispatcher.erasure WHERE completed_at < now() - interval '1 year'")
    }

    @discardableResult
    func execute(_ sql: String, _ parameters: [PostgresParameter] = []) async throws -> Int {
        let statement = PostgresStatement(sql, parameters)
        return try await pool.withSession { session throws(PostgresError) in try session.execute(statement).affected }
    }
}

extension [ErasureOrder] {
    var ids: PostgresParameter { .uuids(map { ($0.id.high, $0.id.low) }) }
    var hubs: PostgresParameter { .int4s(Set(map(\.hub))) }
}
