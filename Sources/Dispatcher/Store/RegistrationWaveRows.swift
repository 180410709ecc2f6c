import DispatchCore
import Postgres

/// The statements of a wave of registrations.
enum RegistrationWaveRows {
    /// Advisory locks of two numbers, this and the hub, are of registrations.
    private static let turnSpace: Int32 = 0x5245_4749

    /// Answers the rows of the ids and of who holds the channels, locked in the order of their keys.
    static func lock(_ wanted: [WantedRegistration]) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(StoredInstallation.columns) FROM dispatcher.lock_registrations($1, $2, $3) i",
            [
                .texts(wanted.map(\.installation.id)), .int2s(wanted.map(\.installation.platform.rawValue)),
                .texts(wanted.map(\.installation.pushChannel)),
            ]
        )
    }

    /// Waits until no other wave of the hub brings ids or channels that are in no row yet: there is nothing of these to
    /// lock, and two waves could wait for each other in the indexes.
    static func turn(of hub: Int32) -> PostgresStatement {
        PostgresStatement("SELECT pg_advisory_xact_lock($1, $2)", [.int4(turnSpace), .int4(hub)])
    }

    /// Retires who had the channels.
    static func retire(_ keys: [Int64]) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.installation
            SET retired_at = clock_timestamp(), retire_reason = 'ChannelTaken',
                updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
            WHERE id = ANY ($1)
            """,
            [.int8s(keys)]
        )
    }

    /// Answers no row for what somebody else has registered meanwhile.
    static func insert(_ wanted: [WantedRegistration], hub: Int32) -> PostgresStatement {
        PostgresStatement(
            """
            WITH wanted AS (
                SELECT * FROM \(columns), unnest($14::text[])) AS n(\(names), installation_id)
            ), written AS (
                INSERT INTO dispatcher.installation AS i
                    (hub_id, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale,
                     time_zone, permission, expires_at)
                SELECT $13, installation_id, user_id, platform, push_channel, is_sandbox, topic, tags::text[],
                       templates::jsonb, locale, time_zone, permission, expires_at
                FROM wanted
                ON CONFLICT (hub_id, installation_id) DO NOTHING
                RETURNING i.id, i.installation_id, i.updated_at
            ), secret AS (
                INSERT INTO dispatcher.device_secret (installation, hub_id, secret_hash)
                SELECT w.id, $13, n.secret_hash FROM written w JOIN wanted n USING (installation_id)
                WHERE n.secret_hash IS NOT NULL
            )
            SELECT installation_id, updated_at FROM written
            """,
            parameters(wanted) + [.int4(hub), .texts(wanted.map(\.installation.id))]
        )
    }

    /// Makes the rows live again, each with a version that is greater than before.
    static func update(_ wanted: [(WantedRegistration, key: Int64)], hub: Int32) -> PostgresStatement {
        PostgresStatement(
            """
            WITH wanted AS (
                SELECT * FROM \(columns), unnest($14::int8[])) AS n(\(names), key)
            ), written AS (
                UPDATE dispatcher.installation i
                SET user_id = n.user_id, platform = n.platform, push_channel = n.push_channel,
                    is_sandbox = n.is_sandbox, topic = n.topic, tags = n.tags::text[], templates = n.templates::jsonb,
                    locale = n.locale, time_zone = n.time_zone, permission = n.permission, expires_at = n.expires_at,
                    updated_at = greatest(clock_timestamp(), i.updated_at + interval '1 microsecond'),
                    registered_at = clock_timestamp(), retired_at = NULL, retire_reason = NULL
                FROM wanted n
                WHERE i.id = n.key
                RETURNING i.id, i.updated_at
            ), secret AS (
                INSERT INTO dispatcher.device_secret (installation, hub_id, secret_hash)
                SELECT key, $13, secret_hash FROM wanted WHERE secret_hash IS NOT NULL
                ON CONFLICT (installation) DO NOTHING
                RETURNING installation
            )
            SELECT w.id, w.updated_at, s.installation IS NOT NULL
            FROM written w
            LEFT JOIN secret s ON s.installation = w.id
            """,
            parameters(wanted.map(\.0)) + [.int4(hub), .int8s(wanted.map(\.key))]
        )
    }

    private static let names = """
        secret_hash, user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale, time_zone, permission,
        expires_at
        """

    /// Several arrays side by side; arrays of arrays would be taken apart, so each row's tags are one text.
    private static let columns = """
        ROWS FROM (unnest($1::bytea[]), unnest($2::text[]), unnest($3::int2[]), unnest($4::text[]), unnest($5::bool[]),
        unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
        unnest($11::int2[]), unnest($12::timestamptz[])
        """

    private static func parameters(_ wanted: [WantedRegistration]) -> [PostgresParameter] {
        let installations = wanted.map(\.installation)
        return [
            .byteasOrNull(wanted.map(\.secretHash)), .textsOrNull(installations.map(\.userID)),
            .int2s(installations.map(\.platform.rawValue)), .texts(installations.map(\.pushChannel)),
            .bools(installations.map { $0.environment == .sandbox }), .textsOrNull(installations.map(\.topic)),
            .texts(installations.map(tags)), .textsOrNull(installations.map(templates)),
            .textsOrNull(installations.map(\.locale)), .textsOrNull(installations.map(\.timeZone)),
            .int2s(installations.map(\.permission.rawValue)),
            .timestamptzsOrNull(installations.map { $0.expirationTime?.microseconds }),
        ]
    }

    /// An array as PostgreSQL writes it; no tag has a character that needs an escape.
    private static func tags(_ installation: Installation) -> String {
        "{" + installation.tags.map { "\"\($0.text)\"" }.joined(separator: ",") + "}"
    }

    private static func templates(_ installation: Installation) -> String? {
        installation.templates.map { String(decoding: JSONWriter.encode($0), as: UTF8.self) }
    }
}
