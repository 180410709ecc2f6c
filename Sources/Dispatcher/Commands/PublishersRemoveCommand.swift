/// Takes hubs away from a user of the broker.
struct PublishersRemoveCommand: Command {
    static let words = ["publishers", "remove"]
    static let summary = "take hubs away from a user of the broker"
    static let help = """
        Usage: dispatcher publishers remove USER [--hub NAME …] [--open]

        Removes the user from these hubs, or from all. A hub that loses its last publisher would take messages of
        everybody again who is named for no other, so that needs --open. A user without hubs may publish for all
        that name nobody.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let user: String
    private let hubs: [String]
    private let isOpening: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hubs = try PublisherReport.hubs(&arguments)
        isOpening = arguments.flag("--open")
        user = try PublisherReport.user(&arguments)
    }

    func run() async throws {
        try await PublisherReport.withStore {
            try await $0.remove(user, hubs: hubs, opening: isOpening)
        }
        print("\(ShownText.line(user)) removed")
    }
}
