import DispatchCore
import Postgres

/// The pauses of channels, shared by all workers.
struct ChannelStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// What is in force.
    struct Snapshot: Sendable {
        let pauses: [ChannelPause]
        let trusted: Set<ChannelKey>
    }

    /// What a change became; there is one only for the first worker to make it.
    struct Saved: Sendable {
        let round: Int
        let restored: Int
    }

    /// Reads every pause in force and every channel that an operator trusts.
    func read() async throws -> Snapshot {
        let statement = PostgresStatement(
            """
            SELECT hub_id, platform, target, cause, reason, until, round, closed_at IS NULL
            FROM dispatcher.channel_pause
            WHERE closed_at IS NULL OR trusted_until > clock_timestamp()
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            try Self.snapshot(try session.execute(statement))
        }
    }

    private static func snapshot(_ rows: PostgresRows) throws(PostgresError) -> Snapshot {
        var pauses: [ChannelPause] = []
        var trusted: Set<ChannelKey> = []
        for row in 0..<rows.count {
            guard let platform = Platform(rawValue: try rows.int2(row, 1)) else { continue }
            let key = ChannelKey(hub: try rows.int4(row, 0), platform: platform, target: try rows.text(row, 2))
            guard try rows.bool(row, 7) else {
                trusted.insert(key)
                continue
            }
            pauses.append(
                ChannelPause(
                    key: key,
                    cause: PauseCause(rawValue: try rows.text(row, 3)) ?? .unavailable,
                    reason: try rows.text(row, 4),
                    until: Timestamp(microseconds: try rows.timestamp(row, 5)),
                    round: Int(try rows.int4(row, 6))
                )
            )
        }
        return Snapshot(pauses: pauses, trusted: trusted)
    }

    /// Saves a change; nil when another worker has made it, or a newer one, before.
    func save(_ change: ChannelChange) async throws -> Saved? {
        let statement =
            switch change {
            case .open(let pause): open(pause)
            case .reopen(let pause): reopen(pause)
            case .close(let key, let round): close(key, round: round)
            }
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            guard rows.count == 1, try !rows.isNull(0, 0) else { return nil }
            return Saved(round: Int(try rows.int4(0, 0)), restored: Int(try rows.int8(0, 1)))
        }
    }

    /// Closes a pause by an operator's word; answers whether there was one.
    func resume(_ hub: String?, _ platform: Platform, _ target: String, isTrusted: Bool) async throws -> Bool {
        let channel: [PostgresParameter] = [
            hub.map { .text($0) } ?? .null(.text), .int2(platform.rawValue), .text(target),
        ]
        let restore = PostgresStatement(
            """
            SELECT dispatcher.restore_again(p.hub_id, p.platform, p.target)
            FROM dispatcher.channel_pause p LEFT JOIN dispatcher.hub h ON h.id = p.hub_id
            WHERE h.name IS NOT DISTINCT FROM $1 AND p.platform = $2 AND p.target = $3 AND p.closed_at IS NULL
            """,
            channel
        )
        let close = PostgresStatement(
            """
            UPDATE dispatcher.channel_pause p
            SET closed_at = clock_timestamp(),
                trusted_until = CASE WHEN $4 THEN clock_timestamp() + interval '1 hour' END
            WHERE p.hub_id = coalesce((SELECT id FROM dispatcher.hub WHERE name = $1), CASE WHEN $1 IS NULL THEN 0 END)
              AND p.platform = $2 AND p.target = $3 AND p.closed_at IS NULL
            """,
            channel + [.bool(isTrusted)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.pipeline([restore, close])[1].affected == 1
        }
    }

    private func open(_ pause: ChannelPause) -> PostgresStatement {
        PostgresStatement(
            "SELECT round, restored FROM dispatcher.stop_channel($1, $2, $3, $4, $5, $6, $7, $8)",
            key(pause.key) + [
                .text(pause.cause.rawValue), .text(pause.reason),
                .timestamptz(microsecondsSinceUnixEpoch: pause.until.microseconds), .int8(worker),
                .int8(ChannelPolicy.guardWindow.microseconds),
            ]
        )
    }

    private func reopen(_ pause: ChannelPause) -> PostgresStatement {
        PostgresStatement(
            "SELECT round, restored FROM dispatcher.prolong_pause($1, $2, $3, $4, $5, $6, $7)",
            key(pause.key) + [
                .int4(Int32(pause.round)), .text(pause.cause.rawValue), .text(pause.reason),
                .timestamptz(microsecondsSinceUnixEpoch: pause.until.microseconds),
            ]
        )
    }

    private func close(_ key: ChannelKey, round: Int) -> PostgresStatement {
        PostgresStatement(
            "SELECT round, restored FROM dispatcher.resume_channel($1, $2, $3, $4)",
            self.key(key) + [.int4(Int32(round))]
        )
    }

    private func key(_ key: ChannelKey) -> [PostgresParameter] {
        [.int4(key.hub), .int2(key.platform.rawValue), .text(key.target)]
    }
}
