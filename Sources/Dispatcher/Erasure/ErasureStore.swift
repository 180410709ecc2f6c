import DispatchCore
import Postgres

/// Erasures as every worker sees them.
struct ErasureStore: Sendable {
    let pool: PostgresPool

    /// Tells whether tombstones have changed.
    struct Version: Sendable, Equatable {
        let changedAt: Int64?
    }

    func version() async throws -> Version {
        let statement = PostgresStatement(
            "SELECT max(changed_at) FROM dispatcher.erasure"
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            return Version(changedAt: try rows.timestampOrNull(0, 0))
        }
    }

    /// Those that stand, with what each awaits.
    func tombstones() async throws -> Tombstones {
        try await pool.withSession { session throws(PostgresError) in
            try Self.tombstones(where: "until > now()", session)
        }
    }

    /// Those of registrations that may stand in the queue, or have stood there within the hour and come again; within a
    /// transaction that keeps new erasures out.
    static func unmarked(_ session: borrowing PostgresSession) throws(PostgresError) -> Tombstones {
        try session.execute("SELECT pg_advisory_xact_lock_shared(hashtext('dispatcher.erasure'))")
        return try tombstones(
            where: "(e.completed_at IS NULL OR e.changed_at > now() - interval '1 hour') AND e.until > now()",
            session
        )
    }

    static func tombstones(
        where condition: String,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) -> Tombstones {
        let statement = PostgresStatement(
            """
            SELECT t.hub_id, t.name_hash, e.awaits, s.salt
            FROM dispatcher.erasure e
            JOIN dispatcher.tombstone t ON t.erasure_id = e.id
            CROSS JOIN dispatcher.erasure_salt s
            WHERE \(condition)
            """
        )
        let rows = try session.execute(statement)
        guard rows.count > 0 else { return Tombstones() }
        var tombstones = Tombstones(salt: try rows.bytes(0, 3))
        for row in 0..<rows.count {
            tombstones.add(try rows.bytes(row, 1), hub: try rows.int4(row, 0), awaits: try rows.int2(row, 2))
        }
        return tombstones
    }

    /// The marker was met in a queue; the last of them settles the erasure.
    func meet(_ erasure: UUIDValue, queue: MarkedQueue) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.erasure
            SET awaits = awaits & ~$2::int2, changed_at = clock_timestamp(),
                settled_at = CASE WHEN awaits & ~$2::int2 = 0 THEN clock_timestamp() END
            WHERE id = $1 AND awaits & $2 <> 0
            """,
            [.uuid(high: erasure.high, low: erasure.low), .int2(queue.rawValue)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Erasures whose markers the broker may not have, and those that no marker will settle any more are settled.
    func unmarked() async throws -> [UUIDValue] {
        let settling = PostgresStatement(
            """
            UPDATE dispatcher.erasure SET settled_at = clock_timestamp(), awaits = 0, changed_at = clock_timestamp()
            WHERE completed_at IS NULL AND settled_at IS NULL AND until < now()
            """
        )
        let statement = PostgresStatement(
            """
            SELECT id FROM dispatcher.erasure
            WHERE completed_at IS NULL AND marked_at IS NULL AND requested_at < now() - interval '5 seconds'
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(settling)
            let rows = try session.execute(statement)
            var found: [UUIDValue] = []
            for row in 0..<rows.count {
                let id = try rows.uuid(row, 0)
                found.append(UUIDValue(high: id.high, low: id.low))
            }
            return found
        }
    }

    /// The broker has confirmed the markers.
    func noteMarkers(_ erasure: UUIDValue) async throws {
        let statement = PostgresStatement(
            "SELECT dispatcher.note_markers($1)",
            [.uuid(high: erasure.high, low: erasure.low)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
