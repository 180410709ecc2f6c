import Postgres

/// Removes a class of notifications with its rules.
struct ClassesDeleteCommand: Command {
    static let words = ["classes", "delete"]
    static let summary = "remove a class of notifications"
    static let help = """
        Usage: dispatcher classes delete HUB CLASS

        Jobs that name the class are refused from then on; those that are accepted are sent without its rules.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let hub: String
    private let name: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hub = try arguments.positional("HUB")
        name = try arguments.positional("CLASS")
    }

    func run() async throws {
        try await ClassStore.withStore { try await $0.delete(name, hub: hub) }
        print("\(hub)\t\(name)\tdeleted")
    }
}

extension ClassStore {
    /// Runs the body of a command.
    static func withStore<R>(_ body: (ClassStore) async throws -> R) async throws -> R {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let result: Result<R, any Error>
        do {
            result = .success(try await body(ClassStore(pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }
}
