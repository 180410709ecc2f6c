import DispatchCore
import Postgres

/// Asks for the installations of a hub, page by page in the order of their ids.
struct InstallationSearch: Sendable {
    var user: String?
    var tags: TagExpression?
    var platform: Platform?
    /// The last id of the page before.
    var after: String?
    var limit = 100

    static let greatestLimit = 500

    /// A page, and whether there is more behind it.
    func page(_ pool: PostgresPool, hub: Int32, hubName: String) async throws -> (
        page: [StoredInstallation], more: Bool
    ) {
        let statement = statement(hub: hub)
        let found = try await pool.inHub(hub, ask: statement) { rows in
            try (0..<rows.count).map { try StoredInstallation(rows, $0, hub: hubName) }
        }
        return (Array(found.prefix(limit)), found.count > limit)
    }

    private func statement(hub: Int32) -> PostgresStatement {
        let condition = tags?.sql(alias: "i", firstParameter: 6)
        // Not prepared where an expression is in it: those have no end of shapes.
        return PostgresStatement(
            """
            SELECT \(StoredInstallation.columns)
            FROM dispatcher.installation i
            WHERE i.hub_id = $1 AND i.installation_id > $2 AND ($3::text IS NULL OR i.user_id = $3)
              AND ($4::int2 IS NULL OR i.platform = $4) AND (\(condition?.text ?? "true"))
            ORDER BY i.hub_id, i.installation_id
            LIMIT $5
            """,
            [
                .int4(hub), .text(after ?? ""), .textOrNull(user), .int2OrNull(platform?.rawValue),
                .int8(Int64(limit + 1)),
            ] + (condition?.parameters.map(\.postgresParameter) ?? []),
            prepared: condition == nil
        )
    }
}
