import AMQP
import HTTP
import Postgres

/// A running API: its connections, its server, and the order in which they start and stop.
final class APIServer: Sendable {
    private let server: HTTPServer
    private let publisher: AMQPPublisher
    private let fetches: FetchRecorder
    private let pool: PostgresPool
    private let service: APIService
    private let watching: Task<Void, Never>
    private let log: Log

    /// Connections to the database; a request holds one for a few statements at a time.
    private static let poolSize = 8

    /// Starts to serve; waits while the database is not there yet.
    static func start(_ configuration: Configuration, _ settings: HTTPSettings, log: Log) async throws -> APIServer {
        let tally = APITally()
        let pool = try Self.pool(configuration, log: log, tally)
        try await SchemaVersion.requireCurrent(pool, log: log)
        let publisher = AMQPPublisher(
            endpoint: try configuration.brokerEndpoint(),
            connectionName: "dispatcher serve",
            onEvent: {
                log.broker($0, queue: "publish")
                tally.connections.count($0, of: "publish")
            }
        )
        let database = try DatabaseWatch(configuration, role: role)
        await database.ask()
        let receipts = ReceiptIntake(pool: pool, told: configuration.events)
        let fetches = FetchRecorder(log: log) { _ = try await receipts.take($0, in: $1) }
        let service = try APIService(
            pool: pool,
            publisher: publisher,
            database: database,
            log: log,
            tally: tally,
            horizon: configuration.horizon,
            contents: ContentLibrary(pool: pool, publicAddress: configuration.publicAddress, fetches: fetches),
            receipts: receipts
        )
        let server = try HTTPServer(
            configuration: settings.server,
            policy: { service.policy($0) },
            faultResponse: { service.faultResponse(Problem($0)) },
            handler: { await service.respond(to: $0) }
        )
        publisher.start()
        do {
            try server.start()
        } catch {
            await publisher.stop()
            await database.close()
            await pool.close()
            throw error
        }
        log.info("serve.started", ["port": server.boundPort, "version": Version.current])
        return APIServer(server: server, service: service, fetches: fetches, log: log)
    }

    private init(
        server: HTTPServer,
        service: APIService,
        fetches: FetchRecorder,
        log: Log
    ) {
        self.server = server
        self.service = service
        publisher = service.publisher
        pool = service.pool
        self.fetches = fetches
        self.log = log
        watching = Task { [database = service.database] in await database.run() }
    }

    /// The port it listens on.
    var port: UInt16 { server.boundPort }

    /// Lets running requests finish, then closes everything.
    func stop() async {
        await server.stop()
        await fetches.finish()
        await publisher.stop()
        watching.cancel()
        await watching.value
        await service.database.close()
        await pool.close()
        log.info("serve.stopped", [:])
    }

    /// Sessions work as this role, whoever logs in, so that the policies hold even for a superuser.
    private static let role = "dispatcher_api"

    private static func pool(_ configuration: Configuration, log: Log, _ tally: APITally) throws -> PostgresPool {
        var database = try configuration.database(applicationName: "dispatcher serve")
        // Every read is by key; on a table that the planner knows nothing of yet, reading all of it would look cheaper.
        database.sessionSettings = ["role": role, "jit": "off", "enable_seqscan": "off"]
        database.statementTimeout = .seconds(10)
        database.idleInTransactionTimeout = .seconds(10)
        database.callDeadline = .seconds(15)
        return PostgresPool(configuration: database, size: poolSize, gate: configuration.databaseGate) {
            log.database($0)
            tally.connections.count($0)
        }
    }
}

extension APIServer: MonitoredProcess {
    /// A server that answers lives; it has no other work.
    func faults() async -> [String] { [] }

    func obstacles() async -> [String] { service.obstacles }

    func write(to page: inout MetricPage) async {
        page.addProcess()
        page.add(.databaseUp, service.database.upSince == nil ? 0 : 1)
        service.tally.connections.write(to: &page, [("publish", publisher.state)])
        service.tally.write(to: &page)
        let counters = server.counters
        page.add(.openConnections, counters.connectionsOpen)
        page.add(.refusedConnections, counters.connectionsRefused)
    }
}
