import DispatchCore
import Postgres

/// Stops a notification's deliveries that have not begun.
struct CancelCommand: Command {
    static let words = ["cancel"]
    static let summary = "stop a notification's deliveries that have not begun"
    static let help = """
        Usage: dispatcher cancel ID [--hub HUB]

        Marks the notification with the job id ID as cancelled. Batches that have not begun are not sent; what has
        reached a gateway stays sent. A notification that is unknown, finished or cancelled already is a failure. Where
        several hubs have one with this id, --hub says which; without it none is cancelled, and the status is 64.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: NotificationName

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        name = try NotificationName(&arguments)
    }

    func run() async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let isCancelled = try await name.asking { try await StatusStore(pool: pool).cancel($0.id, hub: $0.hub) }
        await pool.close()
        guard isCancelled else { throw CommandFailure("there is no notification \(name.description) to cancel") }
        print("\(name.id) cancelled")
    }
}
