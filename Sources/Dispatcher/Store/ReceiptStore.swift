import DispatchCore
import Postgres

/// Writes receipts, and what is known by them.
struct ReceiptStore: Sendable {
    let pool: PostgresPool

    /// Writes a wave in one statement: what was reported before is nothing new, and facts that are known stay.
    func add(_ receipts: [AddressedReceipt]) async throws {
        let statement = Self.addition(Self.once(receipts))
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    private struct Identity: Hashable {
        let notification: NotificationID
        let installation: InstallationKey
        let id: String
    }

    /// The first of those with the same id.
    private static func once(_ receipts: [AddressedReceipt]) -> [AddressedReceipt] {
        var seen: Set<Identity> = []
        seen.reserveCapacity(receipts.count)
        return receipts.filter { item in
            let identity = Identity(
                notification: item.notification,
                installation: item.installation,
                id: item.receipt.id
            )
            return seen.insert(identity).inserted
        }
    }

    private static func addition(_ receipts: [AddressedReceipt]) -> PostgresStatement {
        PostgresStatement(
            addition,
            [
                .int8s(receipts.map(\.notification.rawValue)),
                .int8s(receipts.map(\.installation.rawValue)),
                .texts(receipts.map(\.receipt.id)),
                .int2s(receipts.map(\.receipt.kind.code)),
                .timestamptzs(receipts.map(\.receipt.at.microseconds)),
                .timestamptzs(receipts.map(\.acceptedAt.microseconds)),
                .textsOrNull(receipts.map(\.receipt.actionID)),
                .textsOrNull(receipts.map(\.receipt.text)),
                .int2sOrNull(receipts.map { $0.receipt.response?.code }),
            ]
        )
    }

    /// Rows are written in key order, so that two waves cannot lock each other out.
    ///
    /// Which bits a row of `reading` has gained is told by the row itself, after its lock: so each device is counted once
    /// for each kind, however many workers add to it at a time. A reply is an answer too.
    private static let addition = """
        WITH incoming AS MATERIALIZED (
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::text[], $4::int2[], $5::timestamptz[], $6::timestamptz[],
                                 $7::text[], $8::text[], $9::int2[]) WITH ORDINALITY
                AS r(notification_id, installation_id, receipt_id, kind, device_at, accepted_at, action_id, reply,
                     response, ordinal)
        ),
        added AS (
            INSERT INTO dispatcher.receipt
                (notification_id, installation_id, receipt_id, kind, device_at, action_id, reply, response)
            SELECT notification_id, installation_id, receipt_id, kind, device_at, action_id, reply, response
            FROM incoming
            ORDER BY notification_id, installation_id, receipt_id
            ON CONFLICT DO NOTHING
            RETURNING notification_id, installation_id, receipt_id
        ),
        facts AS (
            SELECT f.notification_id, f.installation_id,
                   (array_agg(f.at) FILTER (WHERE f.kind = 1))[1] AS fetched_at,
                   (array_agg(f.at) FILTER (WHERE f.kind = 2))[1] AS displayed_at,
                   (array_agg(f.at) FILTER (WHERE f.kind = 3))[1] AS read_at,
                   (array_agg(f.at) FILTER (WHERE f.kind = 4))[1] AS dismissed_at,
                   (array_agg(f.at) FILTER (WHERE f.kind >= 5))[1] AS action_at,
                   (array_agg(f.action_id) FILTER (WHERE f.kind >= 5))[1] AS action_id,
                   (array_agg(f.response) FILTER (WHERE f.kind >= 5))[1] AS response,
                   (array_agg(f.at) FILTER (WHERE f.kind = 6))[1] AS replied_at,
                   (array_agg(f.reply) FILTER (WHERE f.kind = 6))[1] AS reply,
                   bit_or(CASE WHEN f.kind = 6 THEN 48 ELSE 1 << (f.kind - 1) END)::int2 AS known
            FROM (
                SELECT i.*, least(greatest(i.device_at, i.accepted_at), now()) AS at
                FROM added
                JOIN incoming i USING (notification_id, installation_id, receipt_id)
                ORDER BY i.notification_id, i.installation_id, i.ordinal
            ) f
            GROUP BY f.notification_id, f.installation_id
        ),
        known AS (
            INSERT INTO dispatcher.reading AS g
                (notification_id, installation_id, fetched_at, displayed_at, read_at, dismissed_at, action_at, action_id,
                 response, replied_at, reply, known, added)
            SELECT notification_id, installation_id, fetched_at, displayed_at, read_at, dismissed_at, action_at, action_id,
                   response, replied_at, reply, known, known
            FROM facts
            ORDER BY notification_id, installation_id
            ON CONFLICT (notification_id, installation_id) DO UPDATE
            SET fetched_at = coalesce(g.fetched_at, EXCLUDED.fetched_at),
                displayed_at = coalesce(g.displayed_at, EXCLUDED.displayed_at),
                read_at = coalesce(g.read_at, EXCLUDED.read_at),
                dismissed_at = coalesce(g.dismissed_at, EXCLUDED.dismissed_at),
                action_at = coalesce(g.action_at, EXCLUDED.action_at),
                action_id = coalesce(g.action_id, EXCLUDED.action_id),
                response = CASE WHEN g.action_at IS NULL THEN EXCLUDED.response ELSE g.response END,
                replied_at = coalesce(g.replied_at, EXCLUDED.replied_at),
                reply = coalesce(g.reply, EXCLUDED.reply),
                added = EXCLUDED.known & ~g.known,
                known = EXCLUDED.known | g.known
            WHERE EXCLUDED.known & ~g.known <> 0
            RETURNING notification_id, added
        ),
        counted AS (
            INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
            SELECT notification_id, now(), count(*), 10 + kind
            FROM known
            CROSS JOIN generate_series(1, 6) AS kind
            WHERE (added >> (kind - 1)) & 1 = 1
            GROUP BY notification_id, kind
        )
        SELECT 1
        """
}

extension ReceiptKind {
    /// What PostgreSQL stores.
    fileprivate var code: Int16 {
        switch self {
        case .fetched: 1
        case .displayed: 2
        case .read: 3
        case .dismissed: 4
        case .action: 5
        case .reply: 6
        }
    }
}

extension ResponseOption {
    /// What PostgreSQL stores.
    fileprivate var code: Int16 {
        switch self {
        case .doNotDismiss: 1
        case .dismiss: 2
        case .dismissAndForwardAction: 3
        }
    }
}
