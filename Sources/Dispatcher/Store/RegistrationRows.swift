import DispatchCore
import Postgres

/// The statements that write one registration.
enum RegistrationRows {
    /// Answers no row when somebody else has registered it meanwhile.
    static func insert(_ installation: Installation, hub: Int32) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.installation AS i
                (user_id, platform, push_channel, is_sandbox, topic, tags, templates, locale, time_zone, permission,
                 expires_at, hub_id, installation_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (hub_id, installation_id) DO NOTHING
            RETURNING i.id, i.updated_at
            """,
            parameters(installation) + [.int4(hub), .text(installation.id)]
        )
    }

    /// A registration makes the row live again; another change leaves that as it is.
    static func update(_ installation: Installation, key: Int64, isRegistration: Bool) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.installation
            SET user_id = $1, platform = $2, push_channel = $3, is_sandbox = $4, topic = $5, tags = $6, templates = $7,
                locale = $8, time_zone = $9, permission = $10, expires_at = $11,
                updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond'),
                registered_at = CASE WHEN $13 THEN clock_timestamp() ELSE registered_at END,
                retired_at = CASE WHEN $13 THEN NULL ELSE retired_at END,
                retire_reason = CASE WHEN $13 THEN NULL ELSE retire_reason END
            WHERE id = $12
            RETURNING id, updated_at
            """,
            parameters(installation) + [.int8(key), .bool(isRegistration)]
        )
    }

    private static func parameters(_ installation: Installation) -> [PostgresParameter] {
        [
            .textOrNull(installation.userID), .int2(installation.platform.rawValue), .text(installation.pushChannel),
            .bool(installation.environment == .sandbox), .textOrNull(installation.topic),
            .texts(installation.tags.map(\.text)),
            .jsonbOrNull(installation.templates.map { String(decoding: JSONWriter.encode($0), as: UTF8.self) }),
            .textOrNull(installation.locale), .textOrNull(installation.timeZone),
            .int2(installation.permission.rawValue), .timestamptzOrNull(installation.expirationTime?.microseconds),
        ]
    }
}
