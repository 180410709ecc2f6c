import DispatchCore
import Postgres

/// The categories of one hub, as the API reads and changes them.
struct CategoryStore: Sendable {
    /// The hub has as many as it may.
    struct Full: Error {}

    let pool: PostgresPool
    let hub: Int32

    /// The documents, in the order of their ids.
    func all() async throws -> [[UInt8]] {
        try await pool.inHub(hub) { session in
            let rows = try session.execute(
                PostgresStatement(
                    "SELECT document FROM dispatcher.category WHERE hub_id = $1 ORDER BY category_id",
                    [.int4(hub)]
                )
            )
            var documents: [[UInt8]] = []
            documents.reserveCapacity(rows.count)
            for row in 0..<rows.count { documents.append(Array(try rows.text(row, 0).utf8)) }
            return documents
        }
    }

    func read(_ id: String) async throws -> [UInt8]? {
        try await pool.inHub(hub) { session in try find(id, session) }
    }

    /// Declares or replaces; answers whether it is new.
    ///
    /// `decide` sees the document that is there and may refuse.
    func put(_ category: ActionCategory, decide: @escaping @Sendable ([UInt8]?) throws -> Void) async throws -> Bool {
        try await changing { session in
            let current = try find(category.id, session)
            try decide(current)
            if current == nil { try checkRoom(session) }
            try session.execute(write(category))
            return current == nil
        }
    }

    /// Removes; `decide` sees the document that is there and may refuse.
    func delete(_ id: String, decide: @escaping @Sendable ([UInt8]?) throws -> Void) async throws {
        try await changing { session in
            try decide(find(id, session))
            let statement = PostgresStatement(
                "DELETE FROM dispatcher.category WHERE hub_id = $1 AND category_id = $2",
                [.int4(hub), .text(id)]
            )
            try session.execute(statement)
        }
    }

    /// One change of a hub's categories at a time: they are counted, and one that is not there yet cannot be locked.
    private func changing<R: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await pool.inHub(hub) { session in
            try session.execute(
                PostgresStatement("SELECT pg_advisory_xact_lock(hashtext('dispatcher.category'), $1)", [.int4(hub)])
            )
            return try body(session)
        }
    }

    private func find(_ id: String, _ session: borrowing PostgresSession) throws(PostgresError) -> [UInt8]? {
        let statement = PostgresStatement(
            "SELECT document FROM dispatcher.category WHERE hub_id = $1 AND category_id = $2",
            [.int4(hub), .text(id)]
        )
        let rows = try session.execute(statement)
        return rows.count == 0 ? nil : Array(try rows.text(0, 0).utf8)
    }

    private func checkRoom(_ session: borrowing PostgresSession) throws {
        let statement = PostgresStatement("SELECT count(*) FROM dispatcher.category WHERE hub_id = $1", [.int4(hub)])
        guard try session.execute(statement).int8(0, 0) < CategoryLimits.perHub else { throw Full() }
    }

    private func write(_ category: ActionCategory) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.category (hub_id, category_id, document, answers)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (hub_id, category_id) DO UPDATE
            SET document = EXCLUDED.document, answers = EXCLUDED.answers, updated_at = clock_timestamp()
            """,
            [
                .int4(hub), .text(category.id), .text(String(decoding: category.json, as: UTF8.self)),
                .texts(category.rules.map(\.action)),
            ]
        )
    }
}
