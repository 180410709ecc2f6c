import DispatchCore
import Postgres

extension ChannelStore {
    /// Saves a change and tells of it in the same transaction; nil when another worker has made it, or a newer one, before.
    func save(_ change: ChannelChange) async throws -> Saved? {
        let statement =
            switch change {
            case .open(let pause): open(pause)
            case .reopen(let pause): reopen(pause)
            case .close(let key, let revision): close(key, revision: revision)
            }
        let kind = change.event.flatMap { told.contains($0) ? $0 : nil }
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute("BEGIN")
            let rows = try session.execute(statement)
            var saved: Saved?
            if rows.count == 1, try !rows.isNull(0, 0) {
                saved = Saved(round: Int(try rows.int4(0, 0)), restored: Int(try rows.int8(0, 1)))
                if let kind { try Self.tell(kind, of: change.key, session) }
            }
            try session.execute("COMMIT")
            return saved
        }
    }

    /// Closes a pause by an operator's word; answers whether there was one.
    func resume(_ hub: String?, _ key: ChannelKey, isTrusted: Bool) async throws -> Bool {
        let isTold = told.contains(.resumed)
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute("BEGIN")
            let found = try session.execute(
                PostgresStatement(
                    "SELECT coalesce((SELECT id FROM dispatcher.hub WHERE name = $1), 0)",
                    [.textOrNull(hub)]
                )
            )
            let id = try found.int4(0, 0)
            let isKnown = hub == nil || id != 0
            let key = ChannelKey(hub: id, platform: key.platform, target: key.target, isSandbox: key.isSandbox)
            let isResumed = isKnown ? try Self.close(key, isTrusted: isTrusted, session) : false
            if isResumed, isTold { try Self.tell(.resumed, of: key, session) }
            try session.execute("COMMIT")
            return isResumed
        }
    }

    private static func close(
        _ key: ChannelKey,
        isTrusted: Bool,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) -> Bool {
        let restore = PostgresStatement(
            """
            SELECT dispatcher.restore_again(p.hub_id, p.platform, p.target, p.is_sandbox)
            FROM dispatcher.channel_pause p
            WHERE p.hub_id = $1 AND p.platform = $2 AND p.target = $3 AND p.is_sandbox = $4 AND p.closed_at IS NULL
            """,
            parameters(key)
        )
        let close = PostgresStatement(
            """
            UPDATE dispatcher.channel_pause p
            SET closed_at = clock_timestamp(), revision = revision + 1,
                trusted_until = CASE WHEN $5 THEN clock_timestamp() + interval '1 hour' END
            WHERE p.hub_id = $1 AND p.platform = $2 AND p.target = $3 AND p.is_sandbox = $4 AND p.closed_at IS NULL
            """,
            parameters(key) + [.bool(isTrusted)]
        )
        _ = try session.execute(restore)
        return try session.execute(close).affected == 1
    }

    /// Puts an event into the outbox that says what stands in the channel's row now.
    private static func tell(
        _ kind: ChannelEvent.Kind,
        of key: ChannelKey,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) {
        let rows = try session.execute(
            PostgresStatement(
                """
                SELECT clock_timestamp(), h.name, p.restored, NULL, p.cause, p.reason, p.until, p.round, p.revision
                FROM dispatcher.channel_pause p LEFT JOIN dispatcher.hub h ON h.id = p.hub_id
                WHERE p.hub_id = $1 AND p.platform = $2 AND p.target = $3 AND p.is_sandbox = $4
                """,
                parameters(key)
            )
        )
        guard rows.count == 1 else { return }
        let event = ChannelEvent(
            kind: kind,
            hub: try rows.textOrNull(0, 1),
            pause: try pause(key, rows, 0),
            restored: Int(try rows.int8(0, 2)),
            time: Timestamp(microseconds: try rows.timestamp(0, 0))
        )
        _ = try session.execute(
            PostgresStatement(
                "INSERT INTO dispatcher.outbox (hub_id, event, body) VALUES ($1, $2, $3)",
                [.int4(key.hub), .int2(kind.code), .bytea(event.encode())]
            )
        )
    }

    private func open(_ pause: ChannelPause) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT round, restored
            FROM dispatcher.stop_channel($1, $2, $3, $5, $6, $7, $8, $9, channel_sandbox => $4)
            """,
            Self.parameters(pause.key) + [
                .text(pause.cause.rawValue), .text(pause.reason),
                .timestamptz(microsecondsSinceUnixEpoch: pause.until.microseconds), .int8(worker),
                .int8(ChannelPolicy.restoreWindow.microseconds),
            ]
        )
    }

    private func reopen(_ pause: ChannelPause) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT round, restored
            FROM dispatcher.prolong_pause($1, $2, $3, $5, $6, $7, $8, channel_sandbox => $4, probed_revision => $9)
            """,
            Self.parameters(pause.key) + [
                .int4(Int32(pause.round)), .text(pause.cause.rawValue), .text(pause.reason),
                .timestamptz(microsecondsSinceUnixEpoch: pause.until.microseconds), .int4(Int32(pause.revision - 1)),
            ]
        )
    }

    private func close(_ key: ChannelKey, revision: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT round, restored
            FROM dispatcher.resume_channel($1, $2, $3, 0, channel_sandbox => $4, probed_revision => $5)
            """,
            Self.parameters(key) + [.int4(Int32(revision))]
        )
    }

    private static func parameters(_ key: ChannelKey) -> [PostgresParameter] {
        [.int4(key.hub), .int2(key.platform.rawValue), .text(key.target), .bool(key.isSandbox)]
    }
}

extension ChannelChange {
    /// What other services are told; that a pause is prolonged is none of their business.
    fileprivate var event: ChannelEvent.Kind? {
        switch self {
        case .open: .stopped
        case .reopen: nil
        case .close: .resumed
        }
    }
}
