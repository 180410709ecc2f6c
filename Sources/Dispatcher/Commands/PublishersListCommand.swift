/// Shows who may publish for which hubs.
struct PublishersListCommand: Command {
    static let words = ["publishers", "list"]
    static let summary = "show the broker's users that hubs take messages of"
    static let help = """
        Usage: dispatcher publishers list [--json]

        Prints each user with its hubs, one a line. A hub that nobody is named for takes messages of
        all users that are not listed, and of none that is.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        for entry in try await PublisherReport.withStore({ try await $0.list() }) {
            print(PublisherReport.text(entry, isJSON: isJSON))
        }
    }
}
