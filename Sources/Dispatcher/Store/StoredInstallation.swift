import DispatchCore
import Postgres

/// A registration with the key and the version of its row.
struct StoredInstallation: Sendable {
    let key: Int64
    /// Microseconds of the last change; rises with every one.
    let version: Int64
    let isRetired: Bool
    let installation: Installation

    /// When the device last showed its secret, to the day; nil where it never did, or nobody asked.
    let lastSeenAt: Timestamp?

    static let columns = """
        i.id, i.updated_at, i.retired_at IS NOT NULL, i.installation_id, i.user_id, i.platform, i.push_channel, i.is_sandbox,
        i.topic, i.tags, i.templates::text, i.locale, i.time_zone, i.permission, i.expires_at
        """

    /// With what takes a look at another table.
    static let allColumns = """
        \(columns), (SELECT s.last_seen_at FROM dispatcher.device_secret s WHERE s.installation = i.id)
        """

    /// The document, with what only the hub knows.
    var document: JSONValue {
        let document = installation.document
        guard let lastSeenAt else { return document }
        let seen = JSONMember(name: "lastSeenAt", value: .string(lastSeenAt.rfc3339))
        return .object((document.members ?? []) + [seen])
    }

    init(_ rows: PostgresRows, _ row: Int, hub: String) throws(PostgresError) {
        key = try rows.int8(row, 0)
        version = try rows.timestamp(row, 1)
        isRetired = try rows.bool(row, 2)
        let templates = try rows.textOrNull(row, 10)
        lastSeenAt = rows.columnCount > 15 ? try rows.timestampOrNull(row, 15).map { Timestamp(microseconds: $0) } : nil
        installation = Installation(
            id: try rows.text(row, 3),
            hub: hub,
            userID: try rows.textOrNull(row, 4),
            platform: Platform(rawValue: try rows.int2(row, 5)) ?? .apns,
            pushChannel: try rows.text(row, 6),
            environment: try rows.bool(row, 7) ? .sandbox : .production,
            topic: try rows.textOrNull(row, 8),
            tags: try rows.textArray(row, 9).compactMap { Tag($0) },
            templates: templates.flatMap { try? JSONParser.parse(Array($0.utf8)) },
            locale: try rows.textOrNull(row, 11),
            timeZone: try rows.textOrNull(row, 12),
            permission: Permission(rawValue: try rows.int2(row, 13)) ?? .notDetermined,
            expirationTime: try rows.timestampOrNull(row, 14).map { Timestamp(microseconds: $0) }
        )
    }
}
