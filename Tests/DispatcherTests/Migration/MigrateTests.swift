import Foundation
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct MigrateTests {
    @Test("ten migrators at once apply each migration once, and another one finds nothing to do")
    func together() async throws {
        try await withDatabase(migrated: false) { database in
            let environment = [
                "DISPATCHER_DATABASE_URL": database.url, "DISPATCHER_MIGRATIONS": TestDatabase.migrations,
            ]
            let programs = try (0..<10).map { _ in try Program(["migrate"], environment: environment) }
            for program in programs {
                let exit = await program.exit(within: .seconds(60))
                #expect(exit == .status(0), "\(program.errors)")
            }
            let applied = programs.count { $0.errors.contains("applied \(SchemaVersion.current) migrations") }
            let idle = programs.count { $0.errors.contains("the schema is up to date") }
            #expect(applied == 1 && idle == 9)
            let rows = try await database.count("SELECT count(*) FROM dispatcher.migration")
            #expect(rows == SchemaVersion.current)
            #expect(try await TestDatabase.migrate(database.url) == 0)
        }
    }

    /// A copy of the folder, changed by the body.
    private func withCopy(_ change: (String) throws -> Void, _ body: (String) async throws -> Void) async throws {
        let copy = NSTemporaryDirectory() + "dispatcher-migrations-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.copyItem(atPath: TestDatabase.migrations, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try change(copy)
        try await body(copy)
    }

    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sql") }.sorted()
    }

    @Test("an edited migration is refused by name, by the program too")
    func edited() async throws {
        try await withDatabase { database in
            try await withCopy { folder in
                let path = folder + "/" + (try Self.names(folder)[2])
                try (String(contentsOfFile: path, encoding: .utf8) + "\n").write(
                    toFile: path,
                    atomically: true,
                    encoding: .utf8
                )
            } _: { folder in
                let name = try MigrationFolder(path: folder).read()[2].name
                await #expect(throws: MigrationError.edited(version: 3, name: name)) {
                    try await TestDatabase.migrate(database.url, folder: folder)
                }
                let environment = ["DISPATCHER_DATABASE_URL": database.url, "DISPATCHER_MIGRATIONS": folder]
                let run = try await Program.run(["migrate"], environment: environment)
                #expect(run.exit == .status(1))
                #expect(run.errors.contains("migration 3 (\(name)) was edited"))
            }
        }
    }

    @Test("a lost migration is refused by name; one lost in the middle by number")
    func lost() async throws {
        try await withDatabase { database in
            let last = try #require(MigrationFolder(path: TestDatabase.migrations).read().last)
            try await withCopy { folder in
                try FileManager.default.removeItem(atPath: folder + "/" + (Self.names(folder).last ?? ""))
            } _: { folder in
                await #expect(throws: MigrationError.missing(version: last.version, name: last.name)) {
                    try await TestDatabase.migrate(database.url, folder: folder)
                }
            }
            try await withCopy { folder in
                try FileManager.default.removeItem(atPath: folder + "/" + (try Self.names(folder)[1]))
            } _: { folder in
                await #expect(throws: MigrationError.outOfSequence(expected: 2, found: 3)) {
                    try await TestDatabase.migrate(database.url, folder: folder)
                }
            }
        }
    }

    @Test("a migration that fails leaves nothing behind, and the ones before it stay")
    func failing() async throws {
        try await withDatabase { database in
            try await withCopy { folder in
                let sql = "CREATE TABLE dispatcher.half (id int); SELECT 1 / 0;"
                let number = String(repeating: "0", count: 3) + String(SchemaVersion.current + 1)
                try sql.write(toFile: "\(folder)/\(number.suffix(4))_half.sql", atomically: true, encoding: .utf8)
            } _: { folder in
                await #expect(throws: (any Error).self) { try await TestDatabase.migrate(database.url, folder: folder) }
            }
            #expect(try await database.count("SELECT count(*) FROM dispatcher.migration") == SchemaVersion.current)
            #expect(try await database.texts("SELECT to_regclass('dispatcher.half')::text") == [[""]])
        }
    }
}
