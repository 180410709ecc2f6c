import DispatchCore
import Postgres

/// The audiences of a whole wave as a few statements: one per kind of address, however many jobs there are.
///
/// Each statement answers rows of (ordinal, device columns). An audience over the small limit answers one row more
/// than the limit, which is how the planner knows that it is large.
struct AudienceLookup {
    private var tags = AddressKeys()
    private var users = AddressKeys()
    private var installations = AddressKeys()
    private var channels = ChannelRegistration()
    private var expressions: [PostgresStatement] = []

    static let deviceColumns =
        "i.id, i.installation_id, i.platform, i.push_channel, i.topic, i.permission, i.locale, i.is_sandbox, i.paused_until"
    static let isReachable = "i.retired_at IS NULL AND (i.expires_at IS NULL OR i.expires_at > now())"

    /// Adds the audience of the wave's job number `ordinal`; a broadcast adds nothing, it is always large.
    mutating func add(_ job: SendJob, ordinal: Int32, hub: Int32) {
        let key = AddressKeys.Owner(ordinal: ordinal, hub: hub, platforms: job.platformMask)
        switch job.audience {
        case .broadcast: break
        case .users(let ids): users.append(ids, owner: key)
        case .installations(let ids): installations.append(ids, owner: key)
        case .channels(let direct):
            channels.append(direct, hub: hub)
            installations.append(direct.map(\.installationID), owner: key)
        case .tags(let expression): add(expression, owner: key)
        }
    }

    private mutating func add(_ expression: TagExpression, owner: AddressKeys.Owner) {
        if let tag = expression.pointTag {
            tags.append([tag.description], owner: owner)
        } else if let user = expression.pointUser {
            users.append([user], owner: owner)
        } else if let installation = expression.pointInstallation {
            installations.append([installation], owner: owner)
        } else {
            expressions.append(Self.statement(for: expression, owner: owner))
        }
    }

    /// Registers the channels that jobs address directly, before the look-ups that find them.
    var registration: PostgresStatement? { channels.statement }

    var statements: [PostgresStatement] {
        [
            tags.statement("i.tags @> ARRAY[k.address] AND NOT i.is_direct"),
            users.statement("i.user_id = k.address AND NOT i.is_direct"),
            installations.statement("i.installation_id = k.address"),
        ].compactMap(\.self) + expressions
    }

    private static func statement(for expression: TagExpression, owner: AddressKeys.Owner) -> PostgresStatement {
        let condition = expression.sql(alias: "i", firstParameter: 5)
        // Not prepared: expressions have no end of shapes, and each would push a useful plan out of the cache.
        return PostgresStatement(
            """
            SELECT $1::int4, \(deviceColumns)
            FROM dispatcher.installation i
            WHERE i.hub_id = $2 AND ($3::int4 >> i.platform) & 1 = 1 AND NOT i.is_direct
              AND \(isReachable) AND (\(condition.text))
            LIMIT $4
            """,
            [
                .int4(owner.ordinal), .int4(owner.hub), .int4(owner.platforms),
                .int8(Int64(LaneProfile.smallAudience + 1)),
            ] + condition.parameters.map(\.postgresParameter),
            prepared: false
        )
    }
}

extension SQLParameter {
    var postgresParameter: PostgresParameter {
        switch self {
        case .text(let value): .text(value)
        case .texts(let values): .texts(values)
        }
    }
}
