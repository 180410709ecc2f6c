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
    let reads: HubReads
    let waves: RequestWaves<WantedRegistration, RegistrationWave.Answer>
    let hub: Int32
    let hubName: String

    /// How often a change is tried that collides with another one.
    private static let tries = 5

    func read(_ id: String) async throws -> StoredInstallation? {
        try await reads.ask(selection(id, columns: StoredInstallation.allColumns), in: hub) { rows in try found(rows) }
    }

    /// Registers or replaces, together with what others register now.
    func put(_ wanted: WantedRegistration) async throws -> Change {
        do {
            return try await waves.answer(wanted, in: hub).get()
        } catch  where error.isCollision {
            return try await putAlone(wanted)
        }
    }

    /// The same in a transaction of its own, which takes a channel from whoever has it at that moment.
    private func putAlone(_ wanted: WantedRegistration) async throws -> Change {
        let installation = wanted.installation
        return try await trying { session in
            let current = try find(installation.id, session, lock: "FOR UPDATE")
            try wanted.decide(current)
            try takeChannel(of: installation, from: current, session)
            let written = try write(installation, over: current, isRegistration: true, session)
            let statement = wanted.secretHash.map { DeviceSecretRows.first(of: written.key, hub: hub, hash: $0) }
            let hasNewSecret = try statement.map { try session.execute($0).affected == 1 } ?? false
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
            } catch  where error.isCollision {
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
        try found(try session.execute(selection(id, columns: StoredInstallation.columns, lock: lock)))
    }

    private func selection(_ id: String, columns: String, lock: String = "") -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(columns) FROM dispatcher.installation i
            WHERE i.hub_id = $1 AND i.installation_id = $2 \(lock)
            """,
            [.int4(hub), .text(id)]
        )
    }

    private func found(_ rows: PostgresRows) throws(PostgresError) -> StoredInstallation? {
        rows.count == 0 ? nil : try StoredInstallation(rows, 0, hub: hubName)
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
    func hasChannel(of other: Installation) -> Bool {
        platform == other.platform && pushChannel.utf8.elementsEqual(other.pushChannel.utf8)
    }
}

extension Error {
    /// Whether another transaction was in the way that this one could not see; it is over now.
    var isCollision: Bool {
        guard let error = self as? PostgresError else { return self is RegistrationStore.Collision }
        return error.sqlState == "40P01" || error.sqlState == "40001"
            || (error.sqlState == "23505" && error.constraint == "installation_channel")
    }
}
