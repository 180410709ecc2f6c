/// Lets a user of the broker publish for hubs.
struct PublishersAddCommand: Command {
    static let words = ["publishers", "add"]
    static let summary = "let a user of the broker publish for hubs"
    static let help = """
        Usage: dispatcher publishers add USER --hub NAME [--hub NAME …]

        From then on these hubs take jobs, registrations and receipts over AMQP only from the users that are named for
        them, and USER publishes for its hubs only, not for hubs that name nobody either. The publisher sets the property
        user-id to its login, and the broker refuses any other. What else comes is a dead letter, forbiddenPublisher.
        Workers follow within five seconds.

        The login of the workers is always taken. Let 'dispatcher serve' share it, or add its own for every hub that it
        serves, before any other user.

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
        let entry = try await PublisherReport.withStore { store in
            try await store.add(user, hubs: hubs)
            return try await store.list().first { $0.user == user }
        }
        let name = ShownText.line(user)
        print(
            """
            \(name) publishes for \(hubs.joined(separator: ", "))
            From now on: \(name) publishes for \((entry?.hubs ?? hubs).joined(separator: ", ")) and for no other hub; \
            \(hubs.joined(separator: ", ")) takes messages of its publishers and of the workers' login only.
            If 'dispatcher serve' has a login of its own, add it for every hub that it serves.
            """
        )
    }
}
