import DispatchCore
import Postgres

/// The classes of a hub's notifications and their rules, as the operator sets them.
struct ClassStore: Sendable {
    enum Failure: Error, CustomStringConvertible {
        case unknownHub(String)
        case unknownClass(String)

        var description: String {
            switch self {
            case .unknownHub(let name): "there is no hub \(name)"
            case .unknownClass(let name): "the hub has no class \(name)"
            }
        }
    }

    let pool: PostgresPool

    /// The rules of a class; nil where nothing is said.
    struct Settings: Sendable {
        var quiet: QuietSetting?
        var drops: Bool?
        var caps: [CapSetting]?
    }

    func list(hub: String?, named name: String? = nil) async throws -> [ClassEntry] {
        let statement = PostgresStatement(
            """
            SELECT h.name, c.name, to_char(c.quiet_from, 'HH24:MI'), to_char(c.quiet_until, 'HH24:MI'), c.drops,
                   ARRAY(SELECT k.most || '/' || extract(epoch FROM k.period)::int8 || '/'
                                || CASE WHEN k.per_user THEN 'user' ELSE 'installation' END
                         FROM dispatcher.notification_cap k WHERE k.class_id = c.id ORDER BY k.per_user DESC, k.period)
            FROM dispatcher.notification_class c
            JOIN dispatcher.hub h ON h.id = c.hub_id
            WHERE ($1::text IS NULL OR h.name = $1) AND ($2::text IS NULL OR c.name = $2)
            ORDER BY 1, 2
            """,
            [.textOrNull(hub), .textOrNull(name)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var entries: [ClassEntry] = []
            for row in 0..<rows.count { entries.append(try ClassEntry(rows, row)) }
            return entries
        }
    }

    /// Makes the class if it is new; what is not said stays as it is.
    func set(_ name: String, hub: String, _ settings: Settings) async throws {
        let caps = settings.caps ?? []
        let statements = [
            PostgresStatement(
                """
                INSERT INTO dispatcher.notification_class AS c (hub_id, name, quiet_from, quiet_until, drops)
                SELECT h.id, $2, $4::time, $5::time, coalesce($6, false) FROM dispatcher.hub h WHERE h.name = $1
                ON CONFLICT (hub_id, name) DO UPDATE
                SET quiet_from = CASE WHEN $3 THEN EXCLUDED.quiet_from ELSE c.quiet_from END,
                    quiet_until = CASE WHEN $3 THEN EXCLUDED.quiet_until ELSE c.quiet_until END,
                    drops = coalesce($6, c.drops)
                """,
                [
                    .text(hub), .text(name), .bool(settings.quiet != nil), .textOrNull(settings.quiet?.hours?.from),
                    .textOrNull(settings.quiet?.hours?.until), .boolOrNull(settings.drops),
                ]
            ),
            PostgresStatement(
                """
                DELETE FROM dispatcher.notification_cap k USING dispatcher.notification_class c, dispatcher.hub h
                WHERE $3 AND k.class_id = c.id AND c.hub_id = h.id AND h.name = $1 AND c.name = $2
                """,
                [.text(hub), .text(name), .bool(settings.caps != nil)]
            ),
            PostgresStatement(
                """
                INSERT INTO dispatcher.notification_cap (class_id, most, period, per_user)
                SELECT c.id, k.most, k.seconds * interval '1 second', k.per_user
                FROM dispatcher.hub h
                JOIN dispatcher.notification_class c ON c.hub_id = h.id AND c.name = $2
                CROSS JOIN unnest($3::int4[], $4::int4[], $5::bool[]) AS k(most, seconds, per_user)
                WHERE h.name = $1
                """,
                [
                    .text(hub), .text(name), .int4s(caps.map(\.most)), .int4s(caps.map(\.seconds)),
                    .bools(caps.map(\.perUser)),
                ]
            ),
        ]
        let isKnown = try await pool.withSession { session throws(PostgresError) in
            try session.pipeline(statements)[0].affected == 1
        }
        guard isKnown else { throw Failure.unknownHub(hub) }
    }

    func delete(_ name: String, hub: String) async throws {
        let statement = PostgresStatement(
            """
            DELETE FROM dispatcher.notification_class c USING dispatcher.hub h
            WHERE h.id = c.hub_id AND h.name = $1 AND c.name = $2
            """,
            [.text(hub), .text(name)]
        )
        let isGone = try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected == 1
        }
        guard isGone else { throw Failure.unknownClass(name) }
    }

    func exists(_ name: String, hub: Int32) async throws -> Bool {
        let statement = PostgresStatement(
            "SELECT FROM dispatcher.notification_class WHERE hub_id = $1 AND name = $2",
            [.int4(hub), .text(name)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).count == 1
        }
    }
}

extension ClassStore {
    /// What workers read of all classes.
    static let perHub = PostgresStatement(
        """
        SELECT c.hub_id, c.name, c.id, c.quiet_from IS NOT NULL, c.drops,
               EXISTS (SELECT FROM dispatcher.notification_cap k WHERE k.class_id = c.id)
        FROM dispatcher.notification_class c
        """
    )

    static func classes(_ rows: PostgresRows) throws(PostgresError) -> [Int32: [String: NotificationClass]] {
        var classes: [Int32: [String: NotificationClass]] = [:]
        for row in 0..<rows.count {
            classes[try rows.int4(row, 0), default: [:]][try rows.text(row, 1)] = NotificationClass(
                id: try rows.int4(row, 2),
                hasQuietHours: try rows.bool(row, 3),
                dropsQuiet: try rows.bool(row, 4),
                hasCaps: try rows.bool(row, 5)
            )
        }
        return classes
    }
}
