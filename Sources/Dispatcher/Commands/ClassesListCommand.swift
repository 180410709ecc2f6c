/// Shows the classes of notifications and their rules.
struct ClassesListCommand: Command {
    static let words = ["classes", "list"]
    static let summary = "show the classes of notifications, their quiet hours and caps"
    static let help = """
        Usage: dispatcher classes list [HUB] [--json]

        Prints hub, class, quiet hours and caps, one class a line.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let hub: String?
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        hub = arguments.optionalPositional()
    }

    func run() async throws {
        for entry in try await ClassStore.withStore({ try await $0.list(hub: hub) }) {
            print(entry.text(isJSON: isJSON))
        }
    }
}
