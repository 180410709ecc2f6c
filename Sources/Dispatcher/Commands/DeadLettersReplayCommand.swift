import DispatchCore

/// Publishes dead letters once more.
struct DeadLettersReplayCommand: Command {
    static let words = ["dead-letters", "replay"]
    static let summary = "publish refused messages once more"
    static let help = """
        Usage: dispatcher dead-letters replay ID… [--key KEY] [--again] [--dry-run] [--json]
               dispatcher dead-letters replay --all [--reason R] [--hub H] [--queue Q] [--since TIME] [--until TIME]
                                              [--state STATE] [--limit N] [--key KEY] [--again]
                                              [--dry-run] [--json]

        Publishes the messages once more as they were: to push.in, with the key of the queue they came from, the same
        message id and body. Each is marked when the broker has confirmed it, and then taken out of push.dead. As the id
        is the same, a job is one notification however often it is replayed. --all takes open letters, the oldest first.
        What was replayed before is replayed only with --again. --dry-run says what would be done.

        --key is for messages whose own key leads nowhere (reason unroutable) or is not known: jobs.high, jobs.normal,
        jobs.bulk, installations or receipts. Without it they are refused. All others keep their own.

        Exits 1 when a message was not confirmed, or a letter that was named could not be replayed.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL.
        """

    private let selection: DeadLetterSelection
    private let options: DeadLetterRun.Options
    private let again: Bool
    private let key: String?

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        again = arguments.flag("--again")
        key = try arguments.option("--key")
        if let key, !IntakeExchange.keys.contains(key) {
            throw UsageError("--key takes \(IntakeExchange.keys.joined(separator: ", ")), not '\(key)'")
        }
        options = DeadLetterRun.Options(&arguments)
        selection = try DeadLetterSelection(&arguments)
    }

    func run() async throws {
        let (again, key) = (again, key)
        try await DeadLetterRun(word: "replayed", selection: selection, options: options).run(
            isDue: { letter in
                let origin = MessageOrigin(queue: letter.queue, routingKey: letter.routingKey)
                guard key != nil || origin?.isOpenToAll == true else { return false }
                return again || letter.state == "open" && letter.replays == 0
            },
            body: { desk, ids in try await desk.replay(ids, again: again, key: key) }
        )
    }
}
