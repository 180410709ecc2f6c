import DispatchCore
import Postgres

/// Access keys, as the operator makes them.
struct KeyStore: Sendable {
    /// A key without its secrets.
    struct Entry: Sendable {
        let name: String
        let hub: String
        let rights: AccessRights
        let createdAt: Timestamp
        let rotatedAt: Timestamp?
    }

    enum Failure: Error, CustomStringConvertible {
        case unknownHub(String)
        case taken(String)
        case unknownKey(String)

        var description: String {
            switch self {
            case .unknownHub(let name): "there is no hub \(name)"
            case .taken(let name): "there is a key \(name); names are unique across hubs"
            case .unknownKey(let name): "there is no key \(name)"
            }
        }
    }

    let pool: PostgresPool

    func create(_ name: String, hub: String, rights: AccessRights, primary: String, secondary: String) async throws {
        let insert = PostgresStatement(
            """
            INSERT INTO dispatcher.access_key (hub_id, rights, name, primary_secret, secondary_secret)
            SELECT id, $2, $3, $4, $5 FROM dispatcher.hub WHERE name = $1
            ON CONFLICT (name) DO NOTHING
            """,
            [.text(hub), .int2(rights.rawValue), .text(name), .text(primary), .text(secondary)]
        )
        let hubCount = PostgresStatement("SELECT count(*) FROM dispatcher.hub WHERE name = $1", [.text(hub)])
        let (isKnown, isWritten) = try await pool.withSession { session throws(PostgresError) in
            (try session.execute(hubCount).int8(0, 0) == 1, try session.execute(insert).affected == 1)
        }
        guard isKnown else { throw Failure.unknownHub(hub) }
        guard isWritten else { throw Failure.taken(name) }
    }

    func list() async throws -> [Entry] {
        let statement = PostgresStatement(
            """
            SELECT k.name, h.name, k.rights, k.created_at, k.rotated_at
            FROM dispatcher.access_key k JOIN dispatcher.hub h ON h.id = k.hub_id
            ORDER BY h.name, k.name
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var entries: [Entry] = []
            for row in 0..<rows.count {
                entries.append(
                    Entry(
                        name: try rows.text(row, 0),
                        hub: try rows.text(row, 1),
                        rights: AccessRights(rawValue: try rows.int2(row, 2)),
                        createdAt: Timestamp(microseconds: try rows.timestamp(row, 3)),
                        rotatedAt: try rows.timestampOrNull(row, 4).map { Timestamp(microseconds: $0) }
                    )
                )
            }
            return entries
        }
    }

    /// Makes the primary secret the secondary one and `secret` the primary.
    func rotate(_ name: String, secret: String) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.access_key
            SET secondary_secret = primary_secret, primary_secret = $2, rotated_at = clock_timestamp()
            WHERE name = $1
            """,
            [.text(name), .text(secret)]
        )
        try await change(statement, name)
    }

    func delete(_ name: String) async throws {
        try await change(PostgresStatement("DELETE FROM dispatcher.access_key WHERE name = $1", [.text(name)]), name)
    }

    private func change(_ statement: PostgresStatement, _ name: String) async throws {
        let count = try await pool.withSession { session throws(PostgresError) in
            try session.execute(statement).affected
        }
        guard count == 1 else { throw Failure.unknownKey(name) }
    }
}
