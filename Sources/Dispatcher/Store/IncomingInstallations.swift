import DispatchCore
import Postgres

/// Registrations in the order in which they came, with what is left of each after the later ones.
struct IncomingInstallations: Sendable {
    private let rows: [InstallationRow]

    /// The last row of its installation: only this one is written.
    private let isLatest: [Bool]

    /// The last row with its channel: whoever registers a channel last keeps it.
    private let keepsChannel: [Bool]

    init(_ rows: [InstallationRow]) {
        self.rows = rows
        isLatest = Self.lasts(rows) { Identity(hub: $0.hub, platform: nil, text: $0.installation.id) }
        keepsChannel = Self.lasts(rows) {
            Identity(hub: $0.hub, platform: $0.installation.platform, text: $0.installation.pushChannel)
        }
    }

    /// Without the registrations of people who are erased and whose marker is behind these in the queue.
    ///
    /// One that comes again may have stood in front of a marker that was met in the meantime.
    func without(_ tombstones: Tombstones) -> IncomingInstallations {
        let left = rows.filter { row in
            let scope: Tombstones.Scope = row.isRedelivered ? .any : .unmarked(.installations)
            return !tombstones.contain(row.installation, hub: row.hub, scope)
        }
        return IncomingInstallations(left)
    }

    /// Whether an installation came with one channel and then with another, so that the first one is taken from whoever
    /// has it and kept by nobody.
    var hasPassingClaims: Bool {
        rows.indices.contains { keepsChannel[$0] && !isLatest[$0] }
    }

    private struct Identity: Hashable {
        let hub: Int32
        let platform: Platform?
        let text: String
    }

    private static func lasts(_ rows: [InstallationRow], of identity: (InstallationRow) -> Identity) -> [Bool] {
        var seen: Set<Identity> = []
        seen.reserveCapacity(rows.count)
        var marks = Array(repeating: false, count: rows.count)
        for index in rows.indices.reversed() {
            marks[index] = seen.insert(identity(rows[index])).inserted
        }
        return marks
    }

    private static let columns = [
        "is_latest", "keeps_channel", "hub_id", "installation_id", "user_id", "platform", "push_channel", "is_sandbox",
        "topic", "tags", "templates", "locale", "time_zone", "permission", "expires_at",
    ]

    /// Writes them to the session's temporary table, but for those that later ones leave nothing of.
    func copy(into session: borrowing PostgresSession) throws(PostgresError) {
        _ = try session.copyIn("incoming", columns: Self.columns) { writer throws(PostgresError) in
            for index in rows.indices where isLatest[index] || keepsChannel[index] {
                writer.row(columns: Self.columns.count)
                writer.bool(isLatest[index])
                writer.bool(keepsChannel[index])
                Self.write(rows[index], to: &writer)
            }
        }
    }

    private static func write(_ row: InstallationRow, to writer: inout PostgresCopyWriter) {
        let installation = row.installation
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

    /// Kept for the session and emptied at every commit, so that a chunk costs no catalogue change.
    static let staging = """
        CREATE TEMPORARY TABLE IF NOT EXISTS incoming (
            is_latest boolean, keeps_channel boolean, hub_id integer, installation_id text, user_id text,
            platform smallint, push_channel text, is_sandbox boolean, topic text, tags text[], templates jsonb,
            locale text, time_zone text, permission smallint, expires_at timestamptz
        ) ON COMMIT DELETE ROWS
        """

    /// Retires whoever has one of the channels so far; the merge revives those that come with another one.
    ///
    /// Each channel is one index probe, however large the table is: LIMIT keeps the planner from turning it into a scan.
    /// Locked in key order, so that two of these cannot lock each other out.
    static let takeover = """
        WITH taken AS (
            SELECT o.id
            FROM dispatcher.installation o
            WHERE o.id = ANY (ARRAY(
                SELECT i.id
                FROM incoming c
                CROSS JOIN LATERAL (
                    SELECT i.id, i.installation_id
                    FROM dispatcher.installation i
                    WHERE i.hub_id = c.hub_id AND i.platform = c.platform
                      AND hashtextextended(i.push_channel, 0) = hashtextextended(c.push_channel, 0)
                      AND i.retired_at IS NULL AND NOT i.is_direct
                    LIMIT 1
                ) i
                WHERE c.keeps_channel AND i.installation_id <> c.installation_id
            ))
            ORDER BY o.id
            FOR UPDATE
        )
        UPDATE dispatcher.installation o
        SET retired_at = clock_timestamp(), updated_at = clock_timestamp(), retire_reason = 'ChannelTaken'
        FROM taken
        WHERE o.id = taken.id
        """

    static let merge = """
        INSERT INTO dispatcher.installation
            (hub_id, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale,
             time_zone, permission, expires_at, retired_at, retire_reason)
        SELECT hub_id, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale,
               time_zone, permission, expires_at,
               CASE WHEN NOT keeps_channel THEN clock_timestamp() END,
               CASE WHEN NOT keeps_channel THEN 'ChannelTaken' END
        FROM incoming
        WHERE is_latest
        ORDER BY hub_id, installation_id
        ON CONFLICT (hub_id, installation_id) DO UPDATE
        SET user_id = EXCLUDED.user_id, platform = EXCLUDED.platform, push_channel = EXCLUDED.push_channel,
            is_sandbox = EXCLUDED.is_sandbox, topic = EXCLUDED.topic, tags = EXCLUDED.tags,
            templates = EXCLUDED.templates, locale = EXCLUDED.locale, time_zone = EXCLUDED.time_zone,
            permission = EXCLUDED.permission, expires_at = EXCLUDED.expires_at, registered_at = clock_timestamp(),
            updated_at = clock_timestamp(), retired_at = EXCLUDED.retired_at, retire_reason = EXCLUDED.retire_reason
        """
}
