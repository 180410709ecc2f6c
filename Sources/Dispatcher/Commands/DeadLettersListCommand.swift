import DispatchCore
import Postgres

/// Lists dead letters without their bodies.
struct DeadLettersListCommand: Command {
    static let words = ["dead-letters", "list"]
    static let summary = "list refused messages, the newest first"
    static let help = """
        Usage: dispatcher dead-letters list [--reason R] [--hub H] [--queue Q] [--message-id ID]
                                            [--since TIME] [--until TIME] [--state open|replayed|discarded] [--limit N]
                                            [--after ID] [--json]

        Lists messages that could not become notifications, the newest first, at most 50 or N. --after ID goes on behind
        the last line of the page before. MESSAGE ID is the job's id where it stands in the body only.
        TIME is like 2026-12-01T12:00:00Z. --json prints one JSON object a line. Messages that the broker itself gave
        up are listed once 'dead-letters collect' has filed them.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let filter: DeadLetterFilter
    private let limit: Int
    private let after: Int64?
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        filter = try DeadLetterFilter(&arguments)
        limit = try arguments.integer("--limit", in: 1...100_000) ?? 50
        after = try arguments.option("--after").map { text throws(UsageError) in try DeadLetterSelection.id(text) }
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let letters = try await DeadLetterStore(pool: pool).list(filter, limit: limit, after: after)
        await pool.close()
        if isJSON {
            for letter in letters { print(DeadLetterReport.json(letter)) }
        } else {
            print(DeadLetterReport.table(letters))
        }
    }
}
