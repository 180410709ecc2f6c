import AMQP
import DispatchCore
import Gateways
import Postgres

/// One worker process: its connections, its lanes, and the order in which they start and stop.
///
/// Everything it has begun is in SQL under its lease, so it may be killed at any moment.
final class Worker: Sendable {
    private let parts: WorkerParts
    private let log: Log

    /// How long a drain may take before what is left is released to other workers.
    static let drainLimit = Duration.seconds(25)

    init(parts: WorkerParts, log: Log) {
        self.parts = parts
        self.log = log
    }

    /// Connects, registers and assembles a worker; waits while the database is not there yet.
    static func start(_ configuration: Configuration, log: Log) async throws -> Worker {
        let parts = try await WorkerParts.assemble(configuration, log: log)
        return Worker(parts: parts, log: log)
    }

    /// Works until `stop` ends the intake, then drains.
    ///
    /// Answers whether everything begun was finished.
    func run(until stop: @escaping @Sendable () async -> Void) async -> Bool {
        parts.startConnections()
        log.info("worker.started", ["worker": parts.heartbeat.id, "version": Version.current])
        return await withTaskGroup(of: Part.self) { group in
            group.addTask { [parts] in
                await parts.runLanes()
                return .lanes
            }
            group.addTask { [parts] in
                await parts.scheduler.run()
                return .background
            }
            group.addTask { [parts] in
                await parts.runHeartbeat()
                return .background
            }
            group.addTask {
                await stop()
                return .stopRequest
            }
            return await drain(&group)
        }
    }

    private enum Part: Sendable {
        case lanes
        case background
        case stopRequest
        case drainLimit
    }

    private func drain(_ group: inout TaskGroup<Part>) async -> Bool {
        var isDrained = false
        loop: for await part in group {
            switch part {
            case .background: continue
            case .stopRequest:
                log.info("worker.draining", ["worker": parts.heartbeat.id])
                parts.stopTaking()
                group.addTask {
                    try? await Task.sleep(for: Self.drainLimit)
                    return .drainLimit
                }
            case .lanes:
                isDrained = true
                break loop
            case .drainLimit: break loop
            }
        }
        group.cancelAll()
        await leave()
        log.info(
            "worker.stopped",
            [
                "worker": parts.heartbeat.id, "drained": isDrained, "jobs": parts.counters.jobs,
                "deliveries": parts.counters.deliveries, "installations": parts.counters.installations,
                "receipts": parts.counters.receipts,
            ]
        )
        return isDrained
    }

    /// Releases the lease and closes the connections; quick, because a second signal waits for it too.
    func leave() async {
        do {
            try await parts.workers.leave(parts.heartbeat.id)
        } catch {
            log.warning("worker.leave.failed", ["error": error])
        }
        await parts.closeConnections()
    }
}
