import Postgres
import Synchronization

/// The hubs by name and id, read once and read again when an unknown one is asked for.
final class HubDirectory: Sendable {
    private struct State {
        var byName: [String: Hub] = [:]
        var byID: [Int32: Hub] = [:]
        var refreshedAt: ContinuousClock.Instant?
    }

    /// A flood of jobs for a hub that does not exist asks the database at most this often.
    private static let minimumAge = Duration.seconds(1)

    private let pool: PostgresPool
    private let state = Mutex(State())

    init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The hub called `name`, or nil when there is none.
    func hub(named name: String) async throws -> Hub? {
        if let hub = state.withLock({ $0.byName[name] }) { return hub }
        try await refresh()
        return state.withLock { $0.byName[name] }
    }

    /// The hubs with these ids; a stored row always has one.
    func hubs(ids: Set<Int32>) async throws -> [Int32: Hub] {
        let known = state.withLock { $0.byID }
        guard !ids.allSatisfy({ known[$0] != nil }) else { return known }
        try await refresh()
        return state.withLock { $0.byID }
    }

    private static let everyHub = PostgresStatement("SELECT id, name, apns_topic, keeps_inbox FROM dispatcher.hub")

    private func refresh() async throws {
        let isFresh = state.withLock { state in
            state.refreshedAt.map { ContinuousClock.now - $0 < Self.minimumAge } ?? false
        }
        guard !isFresh else { return }
        let hubs = try await pool.withSession { session throws(PostgresError) -> [Hub] in
            let rows = try session.execute(Self.everyHub)
            var hubs: [Hub] = []
            for row in 0..<rows.count {
                hubs.append(
                    Hub(
                        id: try rows.int4(row, 0),
                        name: try rows.text(row, 1),
                        apnsTopic: try rows.textOrNull(row, 2),
                        keepsInbox: try rows.bool(row, 3)
                    )
                )
            }
            return hubs
        }
        state.withLock { state in
            state.byName = Dictionary(uniqueKeysWithValues: hubs.map { ($0.name, $0) })
            state.byID = Dictionary(uniqueKeysWithValues: hubs.map { ($0.id, $0) })
            state.refreshedAt = .now
        }
    }
}
