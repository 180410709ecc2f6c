/// Lets a user of the broker publish for hubs.
struct PublishersAddCommand: Command {
    static let words = ["publishers", "add"]
    static let summary = "let a user of the broker publish for hubs"
    static let help = """
        Usage: dispatcher publishers add USER --hub NAME [--hub NAME …]

        From then on these hubs take jobs, registrations and receipts over AMQP only from the users that are named for
        them: the publisher sets the property user-id to its login, and the broker refuses any other. What else comes
        in their name is a dead letter, forbiddenPublisher. Workers follow within five seconds.

        The login of the workers is always taken; where 'dispatcher serve' has another, add that one too.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let user: String
    private let hubs: [String]

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hubs = try PublisherReport.hubs(&arguments)
        guard !hubs.isEmpty else { throw UsageError("--hub is missing") }
        user = try PublisherReport.user(&arguments)
    }

    func run() async throws {
        try await PublisherReport.withStore { try await $0.add(user, hubs: hubs) }
        print("\(ShownText.line(user)) publishes for \(hubs.joined(separator: ", "))")
    }
}
