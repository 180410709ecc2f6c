import DispatchCore
import Glibc
import Postgres

/// Writes a hub's installations as JSON lines.
struct ExportInstallationsCommand: Command {
    static let words = ["installations", "export"]
    static let summary = "write installations to a file of JSON lines"
    static let help = """
        Usage: dispatcher installations export FILE [--hub HUB]

        Writes every installation of the hub (default: default) to FILE, one JSON object a line in the order of their ids, as
        'installations import' reads them; '-' is standard output. Secrets of devices are never written.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let path: String
    private let hub: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hub = try arguments.option("--hub") ?? SendJob.defaultHub
        path = try arguments.positional("FILE")
    }

    func run() async throws {
        let configuration = try Configuration(.process)
        let log = Log(minimum: configuration.logLevel)
        let pool = try configuration.pool(size: 1, log: log)
        try await SchemaVersion.requireCurrent(pool, log: log)
        guard let found = try await HubDirectory(pool: pool).hub(named: hub) else {
            throw CommandFailure("there is no hub '\(hub)'")
        }
        guard let file = path == "-" ? fdopen(STDOUT_FILENO, "w") : fopen(path, "w") else { throw failure }
        let pages = InstallationPages(InstallationSearch(), pool: pool, hub: found.id, hubName: found.name)
        while let lines = try await pages.next() {
            guard fwrite(lines, 1, lines.count, file) == lines.count else { throw failure }
        }
        guard fflush(file) == 0, path == "-" || fclose(file) == 0 else { throw failure }
        await pool.close()
    }

    private var failure: CommandFailure { CommandFailure("cannot write \(path): \(String(cString: strerror(errno)))") }
}
