import Postgres

/// Writes registrations.
struct InstallationStore: Sendable {
    let pool: PostgresPool

    /// The first try expects every channel to be free, as nearly all are; another transaction may give one away
    /// between a later try's look and its write, or hold a row that this one needs and need one that this one holds.
    private static let maximumTries = 10
    private static let collisionPause = Backoff(base: .milliseconds(2), cap: .milliseconds(200))

    /// unique_violation and deadlock_detected: somebody else is in the way.
    private static let collisions: Set<String> = ["23505", "40P01"]

    /// Registers or updates a chunk in one transaction: of several rows for one installation the last one wins, and of
    /// several installations with one channel the last one keeps it.
    ///
    /// Writes nothing and answers false when the turn is no longer the latest.
    @discardableResult
    func upsert(_ rows: [InstallationRow], turn: TurnStore.Turn? = nil) async throws -> Bool {
        let incoming = IncomingInstallations(rows)
        var tries = 1
        while true {
            do {
                let takesOver = tries > 1 || incoming.hasPassingClaims
                return try await write(incoming, takesOver: takesOver, turn: turn)
            } catch let error as PostgresError
                where Self.collisions.contains(error.sqlState ?? "") && tries < Self.maximumTries
            {
                // Writers that have met once would meet again.
                await Self.collisionPause.wait(tries)
                tries += 1
            }
        }
    }

    private func write(
        _ incoming: IncomingInstallations,
        takesOver: Bool,
        turn: TurnStore.Turn?
    ) async throws -> Bool {
        try await pool.withSession { session throws(PostgresError) in
            try session.transaction { session throws(PostgresError) in
                guard let turn else {
                    try Self.write(incoming, takesOver: takesOver, session)
                    return true
                }
                guard try turn.isHeld(session) else { return false }
                // What came by the queue may be older than an erasure that is committed.
                let tombstones = try ErasureStore.unmarked(session)
                guard !tombstones.isEmpty else {
                    try Self.write(incoming, takesOver: takesOver, session)
                    return true
                }
                let left = incoming.without(tombstones)
                try Self.write(left, takesOver: takesOver || left.hasPassingClaims, session)
                return true
            }
        }
    }

    private static func write(
        _ incoming: IncomingInstallations,
        takesOver: Bool,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) {
        try session.execute(IncomingInstallations.staging)
        try incoming.copy(into: session)
        if takesOver { try session.execute(IncomingInstallations.takeover) }
        try session.execute(IncomingInstallations.merge)
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
