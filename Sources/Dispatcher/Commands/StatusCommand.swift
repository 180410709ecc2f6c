import DispatchCore
import Postgres

/// Shows how far a notification has come.
struct StatusCommand: Command {
    static let words = ["status"]
    static let summary = "show how far a notification has come"
    static let help = """
        Usage: dispatcher status ID [--hub HUB] [--json] [--wait SECONDS]

        Prints the state and counts of the notification with the job id ID. On a terminal it follows the progress, with
        rate and estimated end, until the notification is finished. --wait waits at most so long for the end anywhere;
        --json prints one JSON object. An unknown id is a failure. Where several hubs have a notification with this id,
        --hub says which; without it the hubs are named, and the status is 64.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: NotificationName
    private let isJSON: Bool
    private let limit: Duration

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        let seconds = try arguments.integer("--wait", in: 0...86_400)
        limit = seconds.map { .seconds($0) } ?? (Progress.isTerminal && !isJSON ? .seconds(86_400) : .zero)
        name = try NotificationName(&arguments)
    }

    func run() async throws {
        let log = Log(minimum: .error)
        let pool = try Configuration(.process).pool(size: 1, log: log)
        let status = try await follow(StatusStore(pool: pool))
        await pool.close()
        print(isJSON ? StatusReport.json(status) : StatusReport.text(status))
    }

    private func follow(_ store: StatusStore) async throws -> NotificationStatus {
        let clock = ContinuousClock()
        let start = clock.now
        var first: Int?
        while true {
            let status = try await name.asking { try await store.status(of: $0.id, hub: $0.hub) }
            let isLate = clock.now - start >= limit
            if let status, status.isFinished || isLate {
                if first != nil { Progress.finish() }
                return status
            }
            guard !isLate else { throw CommandFailure("there is no notification \(name.description)") }
            if let status {
                first = first ?? status.finished
                Progress.redraw(StatusReport.progress(status, since: first ?? 0, elapsed: clock.now - start))
            }
            try await Task.sleep(for: .milliseconds(250))
        }
    }
}
