/// Removes an access key.
struct KeysDeleteCommand: Command {
    static let words = ["keys", "delete"]
    static let summary = "remove an access key"
    static let help = """
        Usage: dispatcher keys delete NAME

        From then on nobody gets in with either secret of the key.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        name = try arguments.positional("NAME")
    }

    func run() async throws {
        try await KeyReport.withStore { try await $0.delete(name) }
        print("\(name) deleted")
    }
}
