/// Brings the database's schema up to date.
struct MigrateCommand: Command {
    static let words = ["migrate"]
    static let summary = "bring the database's schema up to date"
    static let help = """
        Usage: dispatcher migrate

        Applies the migrations that the database has not had, in order, each in one transaction. Any number may start
        at once: one works, the others wait and find nothing to do. A migration that was edited or has gone missing is
        refused by name.

        Environment: DISPATCHER_DATABASE_URL, whose role may create schemas and roles; DISPATCHER_MIGRATIONS, the
        folder of the files, when they are not beside the program.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        let configuration = try Configuration(.process)
        let migrations = try MigrationFolder.find(.process).read()
        let migrator = Migrator(
            configuration: try configuration.database(applicationName: "dispatcher migrate"),
            migrations: migrations,
            report: { Progress.line($0) }
        )
        let count = try await migrator.run()
        Progress.line(count == 0 ? "the schema is up to date" : "applied \(count) migrations")
    }
}
