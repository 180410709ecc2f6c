import Glibc
import Synchronization

/// Runs a worker until it is told to stop.
struct WorkerCommand: Command {
    static let words = ["worker"]
    static let summary = "take jobs, send them and record what became of them"
    static let help = """
        Usage: dispatcher worker

        Takes send jobs and batches from RabbitMQ, hands them to the gateways and records every delivery in PostgreSQL.
        Start as many as you like; they need no leader and no names.

        SIGTERM or SIGINT: stops taking, finishes what is begun, exits 0. A second one leaves at once: leases are
        released and the exit status is 1. A worker that is killed loses nothing; others take over after its lease.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL, DISPATCHER_SIMULATED_GATEWAY,
        DISPATCHER_SIMULATED_LOG, DISPATCHER_SIMULATED_MODE_FILE, DISPATCHER_EVENTS, DISPATCHER_RETRY_RATE,
        DISPATCHER_RETENTION_DAYS, DISPATCHER_METRICS_ADDRESS, DISPATCHER_LOG_LEVEL.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        let configuration = try Configuration(Environment.process)
        let log = Log(minimum: configuration.logLevel)
        let metrics = try MetricsServer.start(configuration.metricsAddress, log: log)
        // Until here a signal ends the process at once, which is right: nothing has begun.
        let worker = try await Worker.start(configuration, log: log, on: metrics)
        let signals = StopSignals()
        let end = await worker.run(until: {
            await signals.first()
            signals.onSecond {
                log.warning("worker.forced", [:])
                await worker.leave()
            }
        })
        await metrics?.stop()
        switch end {
        case .drained: return
        case .overdue: throw CommandFailure("the drain took too long; what was left is released to other workers")
        case .lostHands(let queue): throw CommandFailure("nobody takes from \(queue) any more; start the worker again")
        }
    }
}
