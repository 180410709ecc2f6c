import DispatchCore
import Postgres

/// Single registrations, as the API reads and changes them.
///
/// Every change locks the row first, so that what the caller decides by its state holds until the commit.
struct RegistrationStore: Sendable {
    /// What a change left.
    struct Change: Sendable {
        let version: Int64
        let isNew: Bool
        /// Whether the secret that was offered is now the device's.
        let hasNewSecret: Bool
    }

    /// Two changes met where neither saw the other; the transaction is to be tried again.
    struct Collision: Error {}

    let pool: PostgresPool
    let hub: Int32
    let hubName: String

    /// How often a change is tried that collides with another one.
    private static let tries = 5

    func read(_ id: String) async throws -> StoredInstallation? {
        try await pool.inHub(hub) { session in try find(id, session, lock: "") }
    }

    /// Registers or replaces; `decide` sees what is there and may refuse.
    func put(
        _ installation: Installation,
        secretHash: [UInt8],
        decide: @escaping @Sendable (StoredInstallation?) throws -> Void
    ) async throws -> Change {
        try await trying { session in
            let current = try find(installation.id, session, lock: "FOR UPDATE")
            try decide(current)
            try takeChannel(of: installation, from: current, session)
            let written = try write(installation, over: current, isRegistration: true, session)
            let statement = DeviceSecretRows.first(of: written.key, hub: hub, hash: secretHash)
            let hasNewSecret = try session.execute(statement).affected == 1
            return Change(version: written.version, isNew: current == nil, hasNewSecret: hasNewSecret)
        }
    }

    /// Changes what is there by `change`; nil when nothing is.
    func update(
        _ id: String,
        _ change: @escaping @Sendable (StoredInstallation?) throws -> Installation?
    ) async throws -> StoredInstallation? {
        try await trying { session in
            let current = try find(id, session, lock: "FOR UPDATE")
            guard let changed = try change(current), let current else { return nil }
            let isMoved = !changed.hasChannel(of: current.installation)
            if isMoved { try takeChannel(of: changed, from: current, session) }
            _ = try write(changed, over: current, isRegistration: isMoved, session)
            return try find(id, session, lock: "")
        }
    }

    /// Removes; answers whether there was one.
    ///
    /// `decide` sees it and may refuse.
    func delete(_ id: String, decide: @escaping @Sendable (StoredInstallation?) throws -> Void) async throws -> Bool {
        try await pool.inHub(hub) { session in
            let current = try find(id, session, lock: "FOR UPDATE")
            try decide(current)
            guard let current else { return false }
            let statement = PostgresStatement("DELETE FROM dispatcher.installation WHERE id = $1", [.int8(current.key)])
            try session.execute(statement)
            return true
        }
    }

    /// Gives the device a new secret; false when there is no such installation.
    func rotateSecret(of id: String, hash: [UInt8]) async throws -> Bool {
        try await pool.inHub(hub) { session in
            guard let current = try find(id, session, lock: "FOR UPDATE") else { return false }
            try session.execute(DeviceSecretRows.next(of: current.key, hub: hub, hash: hash))
            return true
        }
    }

    private func trying<R: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        for _ in 1...Self.tries {
            do {
                return try await pool.inHub(hub, body)
            } catch is Collision {
                continue
            } catch let error as PostgresError where error.isCollision {
                continue
            }
        }
        throw Collision()
    }

    private func find(
        _ id: String,
        _ session: borrowing PostgresSession,
        lock: String
    ) throws(PostgresError) -> StoredInstallation? {
        let statement = PostgresStatement(
            """
            SELECT \(StoredInstallation.columns) FROM dispatcher.installation i
            WHERE i.hub_id = $1 AND i.installation_id = $2 \(lock)
            """,
            [.int4(hub), .text(id)]
        )
        let rows = try session.execute(statement)
        return rows.count == 0 ? nil : try StoredInstallation(rows, 0, hub: hubName)
    }

    /// A live row that has the channel already is the only one.
    private func takeChannel(
        of installation: Installation,
        from current: StoredInstallation?,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) {
        if let current, !current.isRetired, installation.hasChannel(of: current.installation) { return }
        let statement = PostgresStatement(
            "SELECT dispatcher.take_channel($1, $2, $3)",
            [.int2(installation.platform.rawValue), .text(installation.pushChannel), .text(installation.id)]
        )
        try session.execute(statement)
    }

    private func write(
        _ installation: Installation,
        over current: StoredInstallation?,
        isRegistration: Bool,
        _ session: borrowing PostgresSession
    ) throws -> (key: Int64, version: Int64) {
        let rows: PostgresRows
        if let current {
            rows = try session.execute(
                RegistrationRows.update(installation, key: current.key, isRegistration: isRegistration)
            )
        } else {
            rows = try session.execute(RegistrationRows.insert(installation, hub: hub))
        }
        guard rows.count == 1 else { throw Collision() }
        return (try rows.int8(0, 0), try rows.timestamp(0, 1))
    }
}

extension Installation {
    /// By bytes, as the database compares.
    fileprivate func hasChannel(of other: Installation) -> Bool {
        platform == other.platform && pushChannel.utf8.elementsEqual(other.pushChannel.utf8)
    }
}

extension PostgresError {
    /// Whether another transaction was in the way that this one could not see; it is over now.
    fileprivate var isCollision: Bool {
        sqlState == "40P01" || sqlState == "40001" || (sqlState == "23505" && constraint == "installation_channel")
    }
}
