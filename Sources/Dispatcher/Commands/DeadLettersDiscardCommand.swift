import DispatchCore

/// Closes dead letters without publishing them.
struct DeadLettersDiscardCommand: Command {
    static let words = ["dead-letters", "discard"]
    static let summary = "give refused messages up"
    static let help = """
        Usage: dispatcher dead-letters discard ID… [--dry-run] [--json]
               dispatcher dead-letters discard --all [--reason R] [--hub H] [--queue Q] [--since TIME] [--until TIME]
                                               [--state STATE] [--limit N] [--dry-run] [--json]

        Marks the letters as discarded and takes their messages out of push.dead. The rows stay until the retention
        ends; 'replay ID --again' brings one back. --all takes open letters. --dry-run says what would be done.

        Exits 1 when a letter that was named could not be discarded.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL.
        """

    private let selection: DeadLetterSelection
    private let options: DeadLetterRun.Options

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        options = DeadLetterRun.Options(&arguments)
        selection = try DeadLetterSelection(&arguments)
    }

    func run() async throws {
        try await DeadLetterRun(word: "discarded", selection: selection, options: options).run(
            isDue: { $0.state == "open" },
            body: { desk, ids in try await desk.discard(ids) }
        )
    }
}
