import Testing

@testable import Dispatcher

@Suite struct MigrationTests {
    @Test("the file name tells version and name")
    func fileName() throws {
        let migration = try #require(Migration(fileName: "0012_add_a_view.sql", sql: "SELECT 1"))
        #expect(migration.version == 12)
        #expect(migration.name == "add_a_view")
        #expect(migration.checksum.count == 64)
    }

    @Test(
        "other files are not migrations",
        arguments: [
            "README.md", "1_a.sql", "00001_a.sql", "0000_a.sql", "0001-a.sql", "0001.sql", "abcd_a.sql",
            "0001_a.sql.orig",
            "-001_a.sql", ".sql", "",
        ]
    )
    func otherNames(name: String) {
        #expect(Migration(fileName: name, sql: "") == nil)
    }

    @Test("the checksum follows every byte")
    func checksum() {
        let one = Migration(version: 1, name: "a", sql: "SELECT 1")
        let other = Migration(version: 1, name: "a", sql: "SELECT 1 ")
        #expect(one.checksum != other.checksum)
        #expect(one.checksum == Migration(version: 2, name: "b", sql: "SELECT 1").checksum)
    }

    private static let files = (1...3).map { Migration(version: $0, name: "m\($0)", sql: "SELECT \($0)") }
    private static func applied(_ files: some Sequence<Migration>) -> [Migrator.Applied] {
        files.map { Migrator.Applied(version: $0.version, name: $0.name, checksum: $0.checksum) }
    }

    @Test("what is not applied is missing, in order", arguments: 0...3)
    func missing(count: Int) throws {
        let missing = try Migrator.missing(Self.files, applied: Self.applied(Self.files.prefix(count)))
        #expect(missing.map(\.version) == Array((count + 1)...4).dropLast())
    }

    @Test("an edited or a lost file is refused by name")
    func refused() {
        var edited = Self.files
        edited[1] = Migration(version: 2, name: "m2", sql: "SELECT 22")
        let history = Self.applied(Self.files)
        #expect(throws: MigrationError.edited(version: 2, name: "m2")) {
            try Migrator.missing(edited, applied: history)
        }
        #expect(throws: MigrationError.missing(version: 3, name: "m3")) {
            try Migrator.missing(Array(Self.files.prefix(2)), applied: history)
        }
    }

    @Test("the folder of the checkout is what this program was written for")
    func folder() throws {
        let migrations = try MigrationFolder(path: TestDatabase.migrations).read()
        #expect(migrations.count == SchemaVersion.current)
        #expect(migrations.map(\.version) == Array(1...SchemaVersion.current))
    }
}
