import FoundationEssentials
import Glibc

/// The folder of numbered SQL files.
struct MigrationFolder: Sendable {
    let path: String

    /// Finds the folder: the one named by `DISPATCHER_MIGRATIONS`, else beside the program, else above it (a checkout),
    /// else the installed one.
    static func find(_ environment: Environment) throws(ConfigurationError) -> MigrationFolder {
        let named = environment["DISPATCHER_MIGRATIONS"].map { [$0] }
        for candidate in named ?? candidates where access(candidate + "/0001_roles_hubs_installations.sql", R_OK) == 0 {
            return MigrationFolder(path: candidate)
        }
        throw ConfigurationError(variable: "DISPATCHER_MIGRATIONS", reason: "names no folder with the migration files")
    }

    private static var candidates: [String] {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = program.split(separator: "/").dropLast()
        var found: [String] = []
        while !folder.isEmpty {
            found.append("/" + folder.joined(separator: "/") + "/migrations")
            folder = folder.dropLast()
        }
        return found + ["/usr/share/dispatcher/migrations"]
    }

    /// The migrations in order; a gap or a second file with the same number is refused.
    func read() throws -> [Migration] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        let migrations = try names.compactMap { name -> Migration? in
            guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return nil }
            guard let sql = String(validating: data, as: UTF8.self) else { throw MigrationError.notUTF8(name) }
            return Migration(fileName: name, sql: sql)
        }
        for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
            throw MigrationError.outOfSequence(expected: index + 1, found: migration.version)
        }
        return migrations
    }
}
