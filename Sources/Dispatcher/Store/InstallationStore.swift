import DispatchCore
import Postgres

/// Writes registrations.
struct InstallationStore: Sendable {
    let pool: PostgresPool

    /// Registers or updates a chunk in one transaction; of several lines for one installation the last one wins.
    func upsert(_ rows: [InstallationRow]) async throws {
        try await pool.withSession { session throws(PostgresError) in
            try session.transaction { session throws(PostgresError) in
                try session.execute(Self.staging)
                try Self.copy(rows, into: session)
                try session.execute(Self.merge)
            }
        }
    }

    private static let columns = [
        "position", "hub_id", "installation_id", "user_id", "platform", "push_channel", "is_sandbox", "topic", "tags",
        "templates", "locale", "time_zone", "permission", "expires_at",
    ]

    /// Kept for the session and emptied at every commit, so that a chunk costs no catalogue change.
    private static let staging = """
        CREATE TEMPORARY TABLE IF NOT EXISTS incoming (
            position integer, hub_id integer, installation_id text, user_id text, platform smallint, push_channel text,
            is_sandbox boolean, topic text, tags text[], templates jsonb, locale text, time_zone text,
            permission smallint, expires_at timestamptz
        ) ON COMMIT DELETE ROWS
        """

    private static let merge = """
        INSERT INTO dispatcher.installation AS i
            (hub_id, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale,
             time_zone, permission, expires_at)
        SELECT DISTINCT ON (hub_id, installation_id)
               hub_id, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale,
               time_zone, permission, expires_at
        FROM incoming
        ORDER BY hub_id, installation_id, position DESC
        ON CONFLICT (hub_id, installation_id) DO UPDATE
        SET user_id = EXCLUDED.user_id, platform = EXCLUDED.platform, push_channel = EXCLUDED.push_channel,
            is_sandbox = EXCLUDED.is_sandbox, topic = EXCLUDED.topic, tags = EXCLUDED.tags,
            templates = EXCLUDED.templates, locale = EXCLUDED.locale, time_zone = EXCLUDED.time_zone,
            permission = EXCLUDED.permission, expires_at = EXCLUDED.expires_at, registered_at = clock_timestamp(),
            updated_at = clock_timestamp(), retired_at = NULL, retire_reason = NULL
        """

    private static func copy(
        _ rows: [InstallationRow],
        into session: borrowing PostgresSession
    ) throws(PostgresError) {
        _ = try session.copyIn("incoming", columns: columns) { writer throws(PostgresError) in
            for (position, row) in rows.enumerated() {
                write(row, position: Int32(position), to: &writer)
            }
        }
    }

    private static func write(_ row: InstallationRow, position: Int32, to writer: inout PostgresCopyWriter) {
        let installation = row.installation
        writer.row(columns: columns.count)
        writer.int4(position)
        writer.int4(row.hub)
        writer.text(installation.id)
        writer.textOrNull(installation.userID)
        writer.int2(installation.platform.rawValue)
        writer.text(installation.pushChannel)
        writer.bool(installation.environment == .sandbox)
        writer.textOrNull(installation.topic)
        writer.textArray(installation.tags.map(\.description))
        writer.jsonbOrNull(installation.templates.map { String(decoding: JSONWriter.encode($0), as: UTF8.self) })
        writer.textOrNull(installation.locale)
        writer.textOrNull(installation.timeZone)
        writer.int2(installation.permission.rawValue)
        writer.timestamptzOrNull(installation.expirationTime?.microseconds)
    }

    /// After a large import: statistics for the planner, and the tag index's pending entries moved into place.
    func refreshStatistics() async throws {
        try await pool.withSession { session throws(PostgresError) in
            do throws(PostgresError) {
                try session.execute("ANALYZE dispatcher.installation")
                try session.execute("SELECT gin_clean_pending_list('dispatcher.installation_tags')")
            } catch {
                // Only the owner may; autovacuum does the same within minutes.
                guard error.sqlState == "42501" else { throw error }
            }
        }
    }
}
