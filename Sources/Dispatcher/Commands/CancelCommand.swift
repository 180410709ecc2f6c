import DispatchCore
import Postgres

/// Stops a notification's deliveries that have not begun.
struct CancelCommand: Command {
    static let words = ["cancel"]
    static let summary = "stop a notification's deliveries that have not begun"
    static let help = """
        Usage: dispatcher cancel ID

        Marks the notification with the job id ID as cancelled. Batches that have not begun are not sent; what has
        reached a gateway stays sent. A notification that is unknown, finished or cancelled already is a failure.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let id: UUIDValue

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        let text = try arguments.positional("ID")
        guard let id = UUIDValue(text) else { throw UsageError("'\(text)' is not a job id (a UUID)") }
        self.id = id
    }

    func run() async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let isCancelled = try await StatusStore(pool: pool).cancel(id)
        await pool.close()
        guard isCancelled else { throw CommandFailure("there is no notification \(id) to cancel") }
        print("\(id) cancelled")
    }
}
