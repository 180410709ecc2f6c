import Postgres
import Synchronization

/// The secrets of hubs' links as the API knows them: asked for once in a while, so that an address is checked without the
/// database.
final class LinkSecrets: Sendable {
    struct Entry: Sendable {
        let hub: Int32
        let primary: [UInt8]
        let secondary: [UInt8]

        var all: [[UInt8]] { [primary, secondary] }
    }

    private struct Known {
        let entry: Entry?
        let since: ContinuousClock.Instant
    }

    /// How long a rotation may take to be seen.
    private static let greatestAge = Duration.seconds(30)

    /// Names remembered, those of no hub among them.
    private static let limit = 1_000

    private let pool: PostgresPool
    private let known = Mutex<[String: Known]>([:])

    init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The secrets of the hub called `name`; nil when there is none.
    func secrets(of name: String) async throws -> Entry? {
        let now = ContinuousClock.now
        let found = known.withLock { $0[name] }
        if let found, now - found.since < Self.greatestAge { return found.entry }
        let entry = try await read(name)
        known.withLock { known in
            if known.count >= Self.limit { known = known.filter { now - $0.value.since < Self.greatestAge } }
            if known.count < Self.limit { known[name] = Known(entry: entry, since: now) }
        }
        return entry
    }

    private func read(_ name: String) async throws -> Entry? {
        let statement = PostgresStatement(
            "SELECT hub_id, primary_secret, secondary_secret FROM dispatcher.find_link_secrets($1)",
            [.text(name)]
        )
        return try await pool.withSession { session throws(PostgresError) -> Entry? in
            let rows = try session.execute(statement)
            guard rows.count == 1 else { return nil }
            return Entry(hub: try rows.int4(0, 0), primary: try rows.bytes(0, 1), secondary: try rows.bytes(0, 2))
        }
    }
}
