import DispatchCore

/// Publishes dead letters once more.
struct DeadLettersReplayCommand: Command {
    static let words = ["dead-letters", "replay"]
    static let summary = "publish refused messages once more"
    static let help = """
        Usage: dispatcher dead-letters replay ID… [--again] [--dry-run] [--json]
               dispatcher dead-letters replay --all [--reason R] [--hub H] [--queue Q] [--since TIME] [--until TIME]
                                              [--state STATE] [--limit N] [--again] [--dry-run] [--json]

        Publishes the messages once more as they were: same exchange, routing key, message id and body. Each is marked
        when the broker has confirmed it, and then taken out of push.dead. As the id is the same, a job is one
        notification however often it is replayed. --all takes open letters, the oldest first. What was replayed before
        is replayed only with --again. --dry-run says what would be done.

        Exits 1 when a message was not confirmed, or a letter that was named could not be replayed.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL.
        """

    private let selection: DeadLetterSelection
    private let options: DeadLetterRun.Options
    private let again: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        again = arguments.flag("--again")
        options = DeadLetterRun.Options(&arguments)
        selection = try DeadLetterSelection(&arguments)
    }

    func run() async throws {
        let again = again
        try await DeadLetterRun(word: "replayed", selection: selection, options: options).run(
            isDue: { again || $0.state == "open" && $0.replays == 0 },
            body: { desk, ids in try await desk.replay(ids, again: again) }
        )
    }
}
