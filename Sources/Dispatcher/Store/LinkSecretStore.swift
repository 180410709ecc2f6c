import Postgres

/// Changes the secrets that a hub's links are signed with, as the operator wants it.
struct LinkSecretStore: Sendable {
    struct UnknownHub: Error, CustomStringConvertible {
        let name: String

        var description: String { "there is no hub \(name)" }
    }

    let pool: PostgresPool

    /// Makes a new primary secret of the hub; the one before stays good until the next rotation.
    func rotate(hub: String) async throws {
        let statement = PostgresStatement("SELECT dispatcher.rotate_link_secret($1)", [.text(hub)])
        let isKnown = try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).bool(0, 0)
        }
        guard isKnown else { throw UnknownHub(name: hub) }
    }
}
