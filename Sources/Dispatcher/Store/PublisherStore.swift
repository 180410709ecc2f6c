import Postgres

/// Which of the broker's users may publish for which hub, as the operator says.
struct PublisherStore: Sendable {
    struct Entry: Sendable, Equatable {
        let user: String
        let hubs: [String]
    }

    enum Failure: Error, CustomStringConvertible {
        case unknownHub(String)
        case unknownPublisher(String)
        case wouldOpen([String])

        var description: String {
            switch self {
            case .unknownHub(let name): "there is no hub \(name)"
            case .unknownPublisher(let name): "\(name) publishes for none of these hubs"
            case .wouldOpen(let hubs):
                "nobody would be left for \(hubs.joined(separator: ", ")), and everybody could publish; say --open to do so"
            }
        }
    }

    let pool: PostgresPool

    func list() async throws -> [Entry] {
        let statement = PostgresStatement(
            """
            SELECT p.user_name, array_agg(h.name ORDER BY h.name)
            FROM dispatcher.publisher p JOIN dispatcher.hub h ON h.id = p.hub_id
            GROUP BY p.user_name ORDER BY p.user_name
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var entries: [Entry] = []
            for row in 0..<rows.count {
                entries.append(Entry(user: try rows.text(row, 0), hubs: try rows.textArray(row, 1)))
            }
            return entries
        }
    }

    /// Lets the user publish for all of these hubs, or for none of them when one is unknown.
    func add(_ user: String, hubs: [String]) async throws {
        let unknown = PostgresStatement(
            """
            SELECT w.name FROM unnest($1::text[]) AS w(name)
            WHERE NOT EXISTS (SELECT FROM dispatcher.hub h WHERE h.name = w.name) LIMIT 1
            """,
            [.texts(hubs)]
        )
        let insert = PostgresStatement(
            """
            INSERT INTO dispatcher.publisher (hub_id, user_name)
            SELECT id, $2 FROM dispatcher.hub WHERE name = ANY ($1::text[])
            ON CONFLICT DO NOTHING
            """,
            [.texts(hubs), .text(user)]
        )
        try await pool.withThrowingSession { session in
            let rows = try session.execute(unknown)
            guard rows.count == 0 else { throw Failure.unknownHub(try rows.text(0, 0)) }
            _ = try session.execute(insert)
        }
    }

    /// Takes the user away from these hubs, from all when none is named; without `opening` no hub loses its last publisher.
    func remove(_ user: String, hubs: [String], opening: Bool) async throws {
        let chosen = """
            p.user_name = $1 AND (cardinality($2::text[]) = 0 OR h.name = ANY ($2))
            """
        let parameters: [PostgresParameter] = [.text(user), .texts(hubs)]
        let lonely = PostgresStatement(
            """
            SELECT h.name FROM dispatcher.publisher p JOIN dispatcher.hub h ON h.id = p.hub_id
            WHERE \(chosen)
              AND NOT EXISTS (SELECT FROM dispatcher.publisher o WHERE o.hub_id = p.hub_id AND o.user_name <> $1)
            ORDER BY 1
            """,
            parameters
        )
        let delete = PostgresStatement(
            """
            DELETE FROM dispatcher.publisher p USING dispatcher.hub h WHERE h.id = p.hub_id AND \(chosen)
            """,
            parameters
        )
        try await pool.withThrowingSession { session in
            let rows = try session.execute(lonely)
            var left: [String] = []
            for row in 0..<rows.count { left.append(try rows.text(row, 0)) }
            guard opening || left.isEmpty else { throw Failure.wouldOpen(left) }
            guard try session.execute(delete).affected > 0 else { throw Failure.unknownPublisher(user) }
        }
    }
}
