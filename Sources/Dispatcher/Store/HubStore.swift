import Postgres

/// The hubs and their settings, as the operator sets them.
struct HubStore: Sendable {
    struct Entry: Sendable, Equatable {
        let name: String
        let settings: Settings
    }

    /// What can be set of a hub; nil where nothing is said.
    struct Settings: Sendable, Equatable {
        var keepsInbox: Bool?
        var syncsBadge: Bool?

        /// The APNs topic of installations that name none; an empty one takes it away.
        var topic: String?

        /// The zone of installations without one.
        var timeZone: String?
    }

    enum Failure: Error, CustomStringConvertible {
        case unknownHub(String)
        case taken(String)
        case unknownTimeZone(String)

        var description: String {
            switch self {
            case .unknownHub(let name): "there is no hub \(name)"
            case .taken(let name): "there is a hub \(name)"
            case .unknownTimeZone(let name): "the database knows no time zone \(name)"
            }
        }
    }

    let pool: PostgresPool

    func list() async throws -> [Entry] {
        let statement = PostgresStatement(
            "SELECT name, keeps_inbox, syncs_badge, apns_topic, time_zone FROM dispatcher.hub ORDER BY name"
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var entries: [Entry] = []
            for row in 0..<rows.count {
                let settings = Settings(
                    keepsInbox: try rows.bool(row, 1),
                    syncsBadge: try rows.bool(row, 2),
                    topic: try rows.textOrNull(row, 3),
                    timeZone: try rows.text(row, 4)
                )
                entries.append(Entry(name: try rows.text(row, 0), settings: settings))
            }
            return entries
        }
    }

    func create(_ name: String, _ settings: Settings) async throws {
        try await check(settings)
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.hub (name, keeps_inbox, syncs_badge, apns_topic, time_zone)
            VALUES ($1, coalesce($2, false), coalesce($3, false), nullif($4, ''), coalesce($5, 'UTC'))
            ON CONFLICT (name) DO NOTHING
            """,
            Self.parameters(name, settings)
        )
        guard try await change(statement) else { throw Failure.taken(name) }
    }

    func set(_ name: String, _ settings: Settings) async throws {
        try await check(settings)
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.hub
            SET keeps_inbox = coalesce($2, keeps_inbox), syncs_badge = coalesce($3, syncs_badge),
                apns_topic = nullif(coalesce($4, apns_topic), ''), time_zone = coalesce($5, time_zone)
            WHERE name = $1
            """,
            Self.parameters(name, settings)
        )
        guard try await change(statement) else { throw Failure.unknownHub(name) }
    }

    private func check(_ settings: Settings) async throws {
        guard let zone = settings.timeZone else { return }
        let statement = PostgresStatement("SELECT FROM dispatcher.time_zone WHERE name = $1", [.text(zone)])
        let isKnown = try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).count == 1
        }
        guard isKnown else { throw Failure.unknownTimeZone(zone) }
    }

    private static func parameters(_ name: String, _ settings: Settings) -> [PostgresParameter] {
        [
            .text(name), .boolOrNull(settings.keepsInbox), .boolOrNull(settings.syncsBadge),
            .textOrNull(settings.topic), .textOrNull(settings.timeZone),
        ]
    }

    private func change(_ statement: PostgresStatement) async throws -> Bool {
        try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected == 1
        }
    }
}
