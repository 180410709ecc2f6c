import DispatchCore
import Postgres

/// Shows everything known about one dead letter.
struct DeadLettersShowCommand: Command {
    static let words = ["dead-letters", "show"]
    static let summary = "show one refused message with its body"
    static let help = """
        Usage: dispatcher dead-letters show ID [--json]

        Prints all that is known about the dead letter ID, and its body: as text with a mark under the place of the
        mistake, or in base64 when it is no text. An unknown ID is a failure.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let id: Int64
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        id = try DeadLetterSelection.id(try arguments.positional("ID"))
    }

    func run() async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let found = try await DeadLetterStore(pool: pool).letter(id)
        await pool.close()
        guard let found else { throw CommandFailure("there is no dead letter \(id)") }
        let (summary, content) = found
        print(isJSON ? DeadLetterReport.json(summary, content) : DeadLetterReport.text(summary, content))
    }
}
