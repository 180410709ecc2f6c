import DispatchCore
import Postgres
import Synchronization

/// The hubs by name and id, read now and then, and when an unknown one is asked for.
final class HubDirectory: Sendable {
    private struct State {
        var byName: [String: Hub] = [:]
        var byID: [Int32: Hub] = [:]
        var refreshedAt: ContinuousClock.Instant?

        var isRecent: Bool { refreshedAt.map { .now - $0 < greatestAge } ?? false }
    }

    /// A flood of jobs for a hub that does not exist asks the database at most this often.
    private static let minimumAge = Duration.seconds(1)

    /// How long a change of a hub may take to be seen here.
    private static let greatestAge = Duration.seconds(5)

    private let pool: PostgresPool

    /// With it the secrets of the hubs' links are read too.
    private let publicAddress: PublicAddress?
    private let state = Mutex(State())

    init(pool: PostgresPool, publicAddress: PublicAddress? = nil) {
        self.pool = pool
        self.publicAddress = publicAddress
    }

    /// The hub called `name`, or nil when there is none.
    func hub(named name: String) async throws -> Hub? {
        if let hub = state.withLock({ $0.isRecent ? $0.byName[name] : nil }) { return hub }
        try await refresh()
        return state.withLock { $0.byName[name] }
    }

    /// The hubs with these ids; a stored row always has one.
    func hubs(ids: Set<Int32>) async throws -> [Int32: Hub] {
        let (known, isRecent) = state.withLock { ($0.byID, $0.isRecent) }
        guard !isRecent || !ids.allSatisfy({ known[$0] != nil }) else { return known }
        try await refresh()
        return state.withLock { $0.byID }
    }

    /// Whether the hub has the class of notifications; the usual one it always has.
    ///
    /// What is not known here is asked of the database, so that a class counts from the moment it is made.
    func knows(_ name: String, in hub: Hub) async throws -> Bool {
        guard name != ClassOptions.usual, hub.classes[name] == nil else { return true }
        return try await ClassStore(pool: pool).exists(name, hub: hub.id)
    }

    private func refresh() async throws {
        let isFresh = state.withLock { state in
            state.refreshedAt.map { ContinuousClock.now - $0 < Self.minimumAge } ?? false
        }
        guard !isFresh else { return }
        let hubs = try await read()
        state.withLock { state in
            state.byName = Dictionary(uniqueKeysWithValues: hubs.map { ($0.name, $0) })
            state.byID = Dictionary(uniqueKeysWithValues: hubs.map { ($0.id, $0) })
            state.refreshedAt = .now
        }
    }

    private func read() async throws -> [Hub] {
        let secret = publicAddress == nil ? "NULL" : "(dispatcher.find_link_secrets(name)).primary_secret"
        let statement = PostgresStatement(
            """
            SELECT id, name, apns_topic, keeps_inbox, \(secret),
                   ARRAY(SELECT user_name FROM dispatcher.publisher p WHERE p.hub_id = h.id)
            FROM dispatcher.hub h
            """
        )
        let classes = ClassStore.perHub
        return try await pool.withSession { [publicAddress] session throws(PostgresError) -> [Hub] in
            let rows = try session.execute(statement)
            let classes = try ClassStore.classes(try session.execute(classes))
            var hubs: [Hub] = []
            for row in 0..<rows.count {
                var hub = Hub(
                    id: try rows.int4(row, 0),
                    name: try rows.text(row, 1),
                    apnsTopic: try rows.textOrNull(row, 2),
                    keepsInbox: try rows.bool(row, 3)
                )
                hub.publishers = Set(try rows.textArray(row, 5))
                hub.classes = classes[hub.id] ?? [:]
                if let publicAddress {
                    hub.links = ContentLinks(address: publicAddress, hub: hub.name, secret: try rows.bytes(row, 4))
                }
                hubs.append(hub)
            }
            let boundUsers = hubs.reduce(into: Set<String>()) { $0.formUnion($1.publishers) }
            for index in hubs.indices { hubs[index].boundUsers = boundUsers }
            return hubs
        }
    }
}
