import AMQP
import DispatchCore
import Postgres

/// Forgets a user of a hub.
struct EraseUserCommand: Command {
    static let words = ["users", "erase"]
    static let summary = "forget a user: devices, contents, replies"
    static let help = """
        Usage: dispatcher users erase ID [--hub HUB]

        Removes the user's devices at once and enters the erasure of everything else: what was sent to the user alone,
        replies, receipts, inboxes and dead letters, in every table and queue. Workers do it in the background; jobs and
        registrations that were published before do not bring the user back. Prints the erasure as JSON; the view
        dashboard.erasures tells how far it has come.

        Environment: DISPATCHER_DATABASE_URL, DISPATCHER_AMQP_URL.
        """

    private let user: String
    private let hub: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hub = try arguments.option("--hub") ?? SendJob.defaultHub
        user = try arguments.positional("ID")
        guard IdentifierRules.isUserID(user) else { throw UsageError("'\(user)' is no user's id") }
    }

    func run() async throws {
        let configuration = try Configuration(.process)
        let log = Log(minimum: .warning)
        let pool = try configuration.pool(size: 1, log: log)
        let publisher = AMQPPublisher(
            endpoint: try configuration.brokerEndpoint(),
            connectionName: "dispatcher users",
            onEvent: { _ in }
        )
        publisher.start()
        let result: Result<UUIDValue, any Error>
        do {
            result = .success(try await enter(pool, publisher, log))
        } catch {
            result = .failure(error)
        }
        await publisher.stop()
        await pool.close()
        print(#"{"id":"\#(try result.get())","state":"waiting"}"#)
    }

    private func enter(_ pool: PostgresPool, _ publisher: AMQPPublisher, _ log: Log) async throws -> UUIDValue {
        guard let found = try await HubDirectory(pool: pool).hub(named: hub) else {
            throw CommandFailure("there is no hub '\(hub)'")
        }
        return try await UserErasures(publisher: publisher, log: log).enter { id in
            let statement = PostgresStatement(
                "SELECT dispatcher.enter_erasure($1, $2, $3)",
                [.uuid(high: id.high, low: id.low), .int4(found.id), .text(user)]
            )
            try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
        } note: { id in
            try await ErasureStore(pool: pool).noteMarkers(id)
        }
    }
}
