import Postgres

/// Gives a hub a new secret for the addresses of contents.
struct LinksRotateCommand: Command {
    static let words = ["links", "rotate"]
    static let summary = "give a hub a new secret for signed links"
    static let help = """
        Usage: dispatcher links rotate [--hub NAME]

        Addresses of contents are signed with the new secret within half a minute. Those that were signed with the one before
        stay good until they expire, or until the next rotation: rotate twice to end every address that is out.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let hub: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hub = try arguments.option("--hub") ?? "default"
    }

    func run() async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        do {
            try await LinkSecretStore(pool: pool).rotate(hub: hub)
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
        print("\(hub) rotated")
    }
}
