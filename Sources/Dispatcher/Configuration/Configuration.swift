import AMQP
import DispatchCore
import Gateways
import Postgres

/// Everything a command takes from its environment, checked before anything is started.
struct Configuration: Sendable {
    let brokerURL: String?
    let databaseURL: String?
    let logLevel: Log.Level
    let retentionDays: Int

    /// How far ahead a job may ask to be sent: its rows belong to the day it came, which goes with the retention.
    var horizon: Duration { .seconds((retentionDays - 1) * 86_400) }

    /// Where devices reach the API; nil when nobody has said.
    let publicAddress: PublicAddress?
    let retryPolicy: RetryPolicy

    /// How many due retries a worker takes up in a second.
    let retryRate: Int
    let gatewayLimits: GatewayLimits
    let channelPolicy: ChannelPolicy

    /// Which events other services are told of.
    let events: EventChoice
    let simulation: SimulatedGateway.Configuration
    let simulatedLog: String?

    /// The file that switches the simulated gateway between modes.
    let simulatedModeFile: String?

    /// Where metrics and health are told; nil when nobody asks.
    let metricsAddress: ListenAddress?

    /// What the doctor lets pass.
    let transportTrust: TransportTrust

    /// What every new connection of this process to the database goes through.
    let databaseGate = ConnectGate()

    init(_ environment: Environment) throws(ConfigurationError) {
        brokerURL = environment["DISPATCHER_AMQP_URL"]
        databaseURL = environment["DISPATCHER_DATABASE_URL"]
        logLevel = try Self.logLevel(environment)
        retentionDays = try Self.integer("DISPATCHER_RETENTION_DAYS", in: 1...3650, from: environment) ?? 30
        publicAddress = try Self.publicAddress(environment)
        gatewayLimits = try Self.gatewayLimits(environment)
        let pause = try Self.integer("DISPATCHER_CHANNEL_PAUSE_SECONDS", in: 1...300, from: environment)
        channelPolicy = ChannelPolicy(firstPause: pause.map { .seconds($0) })
        events = try Self.events(environment)
        retryPolicy = RetryPolicy()
        retryRate = try Self.integer("DISPATCHER_RETRY_RATE", in: 1...100_000, from: environment) ?? RetryPace.usual
        simulation = try Self.simulation(environment)
        simulatedLog = environment["DISPATCHER_SIMULATED_LOG"]
        simulatedModeFile = environment["DISPATCHER_SIMULATED_MODE_FILE"]
        metricsAddress = try Self.metricsAddress(environment)
        transportTrust = try Self.transportTrust(environment)
    }

    func brokerEndpoint() throws -> AMQPEndpoint {
        guard let brokerURL else {
            throw ConfigurationError(
                variable: "DISPATCHER_AMQP_URL",
                reason: "is not set; it takes amqp://user:password@host:port/vhost"
            )
        }
        do {
            return try AMQPEndpoint(url: brokerURL)
        } catch {
            throw ConfigurationError(variable: "DISPATCHER_AMQP_URL", reason: String(describing: error))
        }
    }

    func database(applicationName: String = "dispatcher") throws -> PostgresConfiguration {
        guard let databaseURL else {
            throw ConfigurationError(
                variable: "DISPATCHER_DATABASE_URL",
                reason: "is not set; it takes postgresql://user:password@host:port/database"
            )
        }
        return try PostgresConfiguration(url: databaseURL, applicationName: applicationName)
    }

    /// Connections of a worker, whose every read is by key or by tag.
    ///
    /// The look-ups end with a LIMIT, and for a tag that the planner knows nothing about a scan of the whole table then
    /// looks cheaper than the index; it never is. Compiling a plan takes longer than any of these statements.
    func workerPool(
        size: Int,
        log: Log,
        onEvent: @escaping @Sendable (PostgresEvent) -> Void = { _ in }
    ) throws -> PostgresPool {
        var database = try database(applicationName: "dispatcher worker")
        // A worker frozen in a transaction must not keep its batches from being rescued for much longer than its lease.
        database.idleInTransactionTimeout = .seconds(10)
        database.sessionSettings = ["enable_seqscan": "off", "jit": "off"]
        return PostgresPool(configuration: database, size: size, gate: databaseGate) {
            log.database($0)
            onEvent($0)
        }
    }

    func pool(size: Int, log: Log) throws -> PostgresPool {
        PostgresPool(configuration: try database(), size: size, gate: databaseGate, onEvent: { log.database($0) })
    }

    func gateway(log: Log) throws -> any Gateway {
        let witness = try simulatedLog.map { try SimulatedGatewayLog(path: $0) }
        let clock = DatabaseClock()
        return SimulatedGateway(
            configuration: simulation,
            log: witness,
            modeFile: try modeFile(log: log),
            now: { clock.now }
        )
    }

    private func modeFile(log: Log) throws(ConfigurationError) -> SimulatedModeFile? {
        guard let simulatedModeFile else { return nil }
        do throws(SimulatedGateway.ConfigurationError) {
            return try SimulatedModeFile(path: simulatedModeFile) { log.simulation($0) }
        } catch {
            throw ConfigurationError(variable: "DISPATCHER_SIMULATED_MODE_FILE", reason: error.description)
        }
    }

    private static func logLevel(_ environment: Environment) throws(ConfigurationError) -> Log.Level {
        guard let name = environment["DISPATCHER_LOG_LEVEL"] else { return .info }
        guard let level = Log.Level(name: name) else {
            throw ConfigurationError(variable: "DISPATCHER_LOG_LEVEL", reason: "takes debug, info, warning or error")
        }
        return level
    }

    private static func metricsAddress(_ environment: Environment) throws(ConfigurationError) -> ListenAddress? {
        guard let text = environment["DISPATCHER_METRICS_ADDRESS"] else { return nil }
        guard let address = ListenAddress(text) else {
            let reason = "takes a numeric address and a port, such as 127.0.0.1:9464 or [::1]:9464"
            throw ConfigurationError(variable: "DISPATCHER_METRICS_ADDRESS", reason: reason)
        }
        return address
    }

    private static func transportTrust(_ environment: Environment) throws(ConfigurationError) -> TransportTrust {
        guard let text = environment[TransportTrust.variable] else { return TransportTrust() }
        guard let trust = TransportTrust(text) else {
            throw ConfigurationError(variable: TransportTrust.variable, reason: "takes broker, database or both")
        }
        return trust
    }

    private static func publicAddress(_ environment: Environment) throws(ConfigurationError) -> PublicAddress? {
        guard let text = environment["DISPATCHER_PUBLIC_URL"] else { return nil }
        guard let address = PublicAddress(text) else {
            let reason = "takes where devices reach the API, such as https://push.example.com"
            throw ConfigurationError(variable: "DISPATCHER_PUBLIC_URL", reason: reason)
        }
        return address
    }

    private static func gatewayLimits(_ environment: Environment) throws(ConfigurationError) -> GatewayLimits {
        var limits = GatewayLimits()
        if let seconds = try integer("DISPATCHER_GATEWAY_TIMEOUT_SECONDS", in: 1...120, from: environment) {
            limits.deadline = .seconds(seconds)
        }
        return limits
    }

    private static func events(_ environment: Environment) throws(ConfigurationError) -> EventChoice {
        guard let text = environment["DISPATCHER_EVENTS"] else { return .usual }
        guard let choice = EventChoice(text) else {
            let names = EventChoice.names.joined(separator: ", ")
            throw ConfigurationError(variable: "DISPATCHER_EVENTS", reason: "takes all, none, or some of \(names)")
        }
        return choice
    }

    private static func simulation(
        _ environment: Environment
    ) throws(ConfigurationError) -> SimulatedGateway.Configuration {
        guard let text = environment["DISPATCHER_SIMULATED_GATEWAY"] else { return .perfect }
        do {
            return try SimulatedGateway.Configuration(parsing: text)
        } catch {
            throw ConfigurationError(variable: "DISPATCHER_SIMULATED_GATEWAY", reason: String(describing: error))
        }
    }

    static func integer(
        _ variable: String,
        in range: ClosedRange<Int>,
        from environment: Environment
    ) throws(ConfigurationError) -> Int? {
        guard let text = environment[variable] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let reason = "takes a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw ConfigurationError(variable: variable, reason: reason)
        }
        return value
    }
}
