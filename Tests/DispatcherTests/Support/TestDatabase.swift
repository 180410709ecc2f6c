import Foundation
import Postgres

@testable import Dispatcher

/// A migrated database of its own on the test server, dropped at the end.
struct TestDatabase: Sendable {
    let name: String
    let url: String
    let pool: PostgresPool

    static let migrations: String = {
        let checkout = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4)
        return checkout.joined(separator: "/").replacingOccurrences(of: "//", with: "/") + "/migrations"
    }()

    static func create(migrated: Bool = true) async throws -> TestDatabase {
        let name = "dispatcher_test_\(UInt32.random(in: 0 ... .max))"
        try await Servers.execute("CREATE DATABASE \(name)")
        let url = try Servers.url(database: name)
        if migrated { _ = try await migrate(url) }
        let configuration = try PostgresConfiguration(url: url, applicationName: "DispatcherTests")
        return TestDatabase(name: name, url: url, pool: PostgresPool(configuration: configuration, size: 4))
    }

    @discardableResult
    static func migrate(_ url: String, folder: String = migrations) async throws -> Int {
        let migrator = Migrator(
            configuration: try PostgresConfiguration(url: url, applicationName: "DispatcherTests"),
            migrations: try MigrationFolder(path: folder).read(),
            report: { _ in }
        )
        return try await migrator.run()
    }

    func drop() async throws {
        await pool.close()
        try await Servers.execute("DROP DATABASE \(name) WITH (FORCE)")
    }

    func execute(_ sql: String) async throws {
        try await pool.withSession { session throws(PostgresError) in try session.execute(sql) }
    }

    /// The whole number that a query answers.
    func count(_ sql: String, _ parameters: [PostgresParameter] = []) async throws -> Int {
        let statement = PostgresStatement("SELECT (\(sql))::int8", parameters, prepared: false)
        return try await pool.withSession { session throws(PostgresError) in
            Int(try session.execute(statement).int8(0, 0))
        }
    }

    /// The rows of a query as texts, with an empty text for null.
    func texts(_ sql: String, _ parameters: [PostgresParameter] = []) async throws -> [[String]] {
        let statement = PostgresStatement(sql, parameters, prepared: false)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [[String]] = []
            for row in 0..<rows.count {
                var columns: [String] = []
                for column in 0..<rows.columnCount { columns.append(try rows.textOrNull(row, column) ?? "") }
                found.append(columns)
            }
            return found
        }
    }
}

/// Gives the body a database and drops it afterwards, whatever happens.
func withDatabase<R>(migrated: Bool = true, _ body: (TestDatabase) async throws -> R) async throws -> R {
    let database = try await TestDatabase.create(migrated: migrated)
    let result: R
    do {
        result = try await body(database)
    } catch {
        try? await database.drop()
        throw error
    }
    try await database.drop()
    return result
}
