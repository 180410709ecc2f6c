import DispatchCore
import Postgres

/// Reads the templates of devices; each text is parsed once, however many devices have it.
struct TemplateStore: Sendable {
    let pool: PostgresPool
    let cache: TemplateCache

    /// The templates of those among the devices that have any.
    func templates(of devices: [InstallationKey]) async throws -> [InstallationKey: TemplateCache.Entry] {
        let statement = PostgresStatement(
            """
            SELECT id, platform, templates::text
            FROM dispatcher.installation
            WHERE id = ANY ($1::int8[]) AND templates IS NOT NULL
            """,
            [.int8s(devices.map(\.rawValue))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var templates: [InstallationKey: TemplateCache.Entry] = [:]
            templates.reserveCapacity(rows.count)
            for row in 0..<rows.count {
                guard let platform = Platform(rawValue: try rows.int2(row, 1)) else { continue }
                let key = InstallationKey(rawValue: try rows.int8(row, 0))
                templates[key] = cache.templates(try rows.text(row, 2), platform: platform)
            }
            return templates
        }
    }
}
