import DispatchCore
import Postgres

/// Loads installations from JSON lines at the speed of COPY.
struct ImportInstallationsCommand: Command {
    static let words = ["installations", "import"]
    static let summary = "load installations from a file of JSON lines"
    static let help = """
        Usage: dispatcher installations import FILE [--rejected FILE]

        Registers every installation of FILE (one JSON object a line; '-' is standard input). One that is known is
        updated and, if it was retired, alive again. A line that cannot be accepted is written to the rejected file
        (FILE.rejected unless named) as JSON with its line number, the member's path and the reason; the others are
        imported all the same, and the exit status is then 1. Prints the counts as JSON.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let path: String
    private let rejectedPath: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        let rejected = try arguments.option("--rejected")
        path = try arguments.positional("FILE")
        rejectedPath = rejected ?? (path == "-" ? "installations" : path) + ".rejected"
    }

    func run() async throws {
        let configuration = try Configuration(.process)
        let log = Log(minimum: configuration.logLevel)
        let pool = try configuration.pool(size: 1, log: log)
        try await SchemaVersion.requireCurrent(pool, log: log)
        var importer = InstallationImporter(
            store: InstallationStore(pool: pool),
            hubs: HubDirectory(pool: pool),
            rejected: RejectedLines(path: rejectedPath)
        )
        try await importer.run(try LineReader(path: path), totalBytes: LineReader.size(of: path))
        await pool.close()
        print(#"{"imported":\#(importer.imported),"rejected":\#(importer.rejected.count)}"#)
        guard importer.rejected.count == 0 else {
            throw CommandFailure("\(importer.rejected.count) lines were rejected; see \(rejectedPath)")
        }
    }
}
