import DispatchCore
import Postgres

/// Looks up who a credential belongs to, before any hub is known.
struct AccessStore: Sendable {
    /// A service's key.
    struct Key: Sendable {
        let hub: Int32
        let hubName: String
        let rights: AccessRights
        let primarySecret: String
        let secondarySecret: String
    }

    let pool: PostgresPool

    func key(named name: String) async throws -> Key? {
        let statement = PostgresStatement(
            "SELECT hub_id, hub, rights, primary_secret, secondary_secret FROM dispatcher.find_access_key($1)",
            [.text(name)]
        )
        return try await pool.withSession { session throws(PostgresError) -> Key? in
            let rows = try session.execute(statement)
            guard rows.count == 1 else { return nil }
            return Key(
                hub: try rows.int4(0, 0),
                hubName: try rows.text(0, 1),
                rights: AccessRights(rawValue: try rows.int2(0, 2)),
                primarySecret: try rows.text(0, 3),
                secondarySecret: try rows.text(0, 4)
            )
        }
    }

    /// The device with this secret; the first use of a new secret ends the one before.
    func device(secretHash: [UInt8]) async throws -> Caller? {
        let statement = PostgresStatement(
            "SELECT hub_id, hub, installation_id, installation, user_id FROM dispatcher.find_device($1)",
            [.bytea(secretHash)]
        )
        return try await pool.withSession { session throws(PostgresError) -> Caller? in
            let rows = try session.execute(statement)
            guard rows.count == 1 else { return nil }
            let device = Caller.Device(
                installationID: try rows.text(0, 2),
                key: InstallationKey(rawValue: try rows.int8(0, 3)),
                userID: try rows.textOrNull(0, 4)
            )
            return Caller(hub: try rows.int4(0, 0), hubName: try rows.text(0, 1), kind: .device(device))
        }
    }
}
