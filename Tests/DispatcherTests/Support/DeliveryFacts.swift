import Postgres

/// One row of `dashboard.deliveries`.
struct DeliveryFacts: Sendable, Equatable {
    let installation: String
    let platform: String
    let state: String
    let attempts: Int
    let reason: String?
    let isAmbiguous: Bool
    let user: String?

    static func all(of notification: String, in database: TestDatabase) async throws -> [DeliveryFacts] {
        let statement = PostgresStatement(
            """
            SELECT installation_id, platform, state, attempts, reason, ambiguous, user_id
            FROM dashboard.deliveries WHERE notification_id::text = $1 ORDER BY 1
            """,
            [.text(notification)]
        )
        return try await database.pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [DeliveryFacts] = []
            for row in 0..<rows.count {
                found.append(
                    DeliveryFacts(
                        installation: try rows.textOrNull(row, 0) ?? "",
                        platform: try rows.textOrNull(row, 1) ?? "",
                        state: try rows.text(row, 2),
                        attempts: Int(try rows.int2(row, 3)),
                        reason: try rows.textOrNull(row, 4),
                        isAmbiguous: try rows.bool(row, 5),
                        user: try rows.textOrNull(row, 6)
                    )
                )
            }
            return found
        }
    }
}
