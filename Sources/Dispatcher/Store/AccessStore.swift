import DispatchCore
import Postgres

/// Looks up who a credential belongs to, before any hub is known.
///
/// Every request asks, so those that ask at the same time ask together. Nothing is remembered: a key that was taken away
/// is good for nothing from then on.
struct AccessStore: Sendable {
    /// A service's key.
    struct Key: Sendable {
        let hub: Int32
        let hubName: String
        let rights: AccessRights
        let primarySecret: String
        let secondarySecret: String
    }

    private let keys: RequestWaves<String, Key?>
    private let devices: RequestWaves<[UInt8], Caller?>

    /// No hub is known yet, so all go together.
    private static let everyHub: Int32 = 0
    /// The most look-ups of a wave.
    private static let limit = 500

    init(pool: PostgresPool) {
        keys = RequestWaves(limit: Self.limit) { try await Self.keys($1, pool) }
        devices = RequestWaves(limit: Self.limit) { try await Self.devices($1, pool) }
    }

    func key(named name: String) async throws -> Key? {
        try await keys.answer(name, in: Self.everyHub)
    }

    /// The device with this secret; the first use of a new secret ends the one before.
    func device(secretHash: [UInt8]) async throws -> Caller? {
        try await devices.answer(secretHash, in: Self.everyHub)
    }

    private static func keys(_ names: [String], _ pool: PostgresPool) async throws -> [Key?] {
        // Nearly all requests come with one of a few keys. By bytes, as the database compares.
        let asked = Dictionary(names.map { (Array($0.utf8), $0) }) { first, _ in first }
        let statement = PostgresStatement(
            """
            SELECT name, hub_id, hub, rights, primary_secret, secondary_secret
            FROM dispatcher.find_access_keys($1)
            """,
            [.texts(asked.values)]
        )
        let found = try await pool.withSession { session throws(PostgresError) -> [[UInt8]: Key] in
            let rows = try session.execute(statement)
            var keys: [[UInt8]: Key] = [:]
            for row in 0..<rows.count { keys[Array(try rows.text(row, 0).utf8)] = try Key(rows, row) }
            return keys
        }
        return names.map { found[Array($0.utf8)] }
    }

    private static func devices(_ hashes: [[UInt8]], _ pool: PostgresPool) async throws -> [Caller?] {
        let statement = PostgresStatement(
            """
            SELECT place, hub_id, hub, installation_id, installation, user_id FROM dispatcher.find_devices($1)
            """,
            [.byteas(hashes)]
        )
        return try await pool.withSession { session throws(PostgresError) -> [Caller?] in
            let rows = try session.execute(statement)
            var callers = [Caller?](repeating: nil, count: hashes.count)
            for row in 0..<rows.count { callers[Int(try rows.int8(row, 0)) - 1] = try Caller(device: rows, row) }
            return callers
        }
    }
}

extension AccessStore.Key {
    fileprivate init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        hub = try rows.int4(row, 1)
        hubName = try rows.text(row, 2)
        rights = AccessRights(rawValue: try rows.int2(row, 3))
        primarySecret = try rows.text(row, 4)
        secondarySecret = try rows.text(row, 5)
    }
}

extension Caller {
    fileprivate init(device rows: PostgresRows, _ row: Int) throws(PostgresError) {
        let device = Device(
            installationID: try rows.text(row, 3),
            key: InstallationKey(rawValue: try rows.int8(row, 4)),
            userID: try rows.textOrNull(row, 5)
        )
        self.init(hub: try rows.int4(row, 1), hubName: try rows.text(row, 2), kind: .device(device))
    }
}
