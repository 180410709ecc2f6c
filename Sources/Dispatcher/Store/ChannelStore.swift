import DispatchCore
import Postgres

/// The pauses of channels, shared by all workers.
struct ChannelStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// What other services are told of.
    let told: EventChoice

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
            SELECT hub_id, platform, target, is_sandbox, cause, reason, until, round, revision, closed_at IS NULL
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
            guard let key = try key(rows, row) else { continue }
            if try rows.bool(row, 9) { pauses.append(try pause(key, rows, row)) } else { trusted.insert(key) }
        }
        return Snapshot(pauses: pauses, trusted: trusted)
    }

    /// Reads hub, platform, target and environment, the first columns; nil for a platform of a newer version.
    static func key(_ rows: PostgresRows, _ row: Int) throws(PostgresError) -> ChannelKey? {
        guard let platform = Platform(rawValue: try rows.int2(row, 1)) else { return nil }
        return ChannelKey(
            hub: try rows.int4(row, 0),
            platform: platform,
            target: try rows.text(row, 2),
            isSandbox: try rows.bool(row, 3)
        )
    }

    /// Reads cause, reason, end, round and revision.
    static func pause(_ key: ChannelKey, _ rows: PostgresRows, _ row: Int) throws(PostgresError) -> ChannelPause {
        ChannelPause(
            key: key,
            cause: PauseCause(rawValue: try rows.text(row, 4)) ?? .unavailable,
            reason: try rows.text(row, 5),
            until: Timestamp(microseconds: try rows.timestamp(row, 6)),
            round: Int(try rows.int4(row, 7)),
            revision: Int(try rows.int4(row, 8))
        )
    }
}
