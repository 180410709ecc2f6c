import AMQP
import DispatchCore
import Gateways
import Postgres

/// One worker process: its connections, its lanes, and the order in which they start and stop.
///
/// Everything it has begun is in SQL under its lease, so it may be killed at any moment.
final class Worker: Sendable {
    private let parts: WorkerParts
    private let health: WorkerHealth?
    private let log: Log

    /// How long a drain may take before what is left is released to other workers.
    static let drainLimit = Duration.seconds(25)

    /// How long the release may take: a database that is silent must not hold up the end, and the lease ends by itself.
    private static let leaveLimit = Duration.seconds(5)

    init(parts: WorkerParts, health: WorkerHealth? = nil, log: Log) {
        self.parts = parts
        self.health = health
        self.log = log
    }

    /// Connects, registers and assembles a worker, and shows it; waits while the database is not there yet.
    static func start(_ configuration: Configuration, log: Log, on metrics: MetricsServer? = nil) async throws -> Worker
    {
        let parts = try await WorkerParts.assemble(configuration, log: log)
        guard let metrics else { return Worker(parts: parts, log: log) }
        let health = WorkerHealth(
            parts: parts,
            database: try DatabaseWatch(configuration),
            patience: configuration.gatewayLimits.deadline + .seconds(60)
        )
        metrics.watch(health)
        return Worker(parts: parts, health: health, log: log)
    }

    /// Works until `stop` ends the intake, or a part of it ends by itself, then drains.
    func run(until stop: @escaping @Sendable () async -> Void) async -> WorkerEnd {
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
            group.addTask { [health] in
                await health?.database.run()
                return .background
            }
            group.addTask { [parts] in await parts.lanes.loss().map { .lostHands($0) } ?? .background }
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
        case lostHands(String)
        case drainLimit
    }

    private func drain(_ group: inout TaskGroup<Part>) async -> WorkerEnd {
        var isDrained = false
        var lost: String?
        loop: for await part in group {
            switch part {
            case .background: continue
            case .stopRequest: beginDrain(&group)
            case .lostHands(let queue):
                log.error("hands.lost", ["worker": parts.heartbeat.id, "queue": queue])
                lost = queue
                beginDrain(&group)
            case .lanes:
                isDrained = true
                break loop
            case .drainLimit: break loop
            }
        }
        group.cancelAll()
        parts.lanes.finish()
        await leave()
        log.info(
            "worker.stopped",
            [
                "worker": parts.heartbeat.id, "drained": isDrained, "jobs": parts.counters.jobs,
                "deliveries": parts.counters.deliveries, "installations": parts.counters.installations,
                "receipts": parts.counters.receipts,
            ]
        )
        // When the last hands are lost together, the lanes may end before anybody is told of it.
        if let lost = lost ?? parts.lanes.lost { return .lostHands(lost) }
        return isDrained ? .drained : .overdue
    }

    private func beginDrain(_ group: inout TaskGroup<Part>) {
        log.info("worker.draining", ["worker": parts.heartbeat.id])
        parts.stopTaking()
        group.addTask {
            try? await Task.sleep(for: Self.drainLimit)
            return .drainLimit
        }
    }

    /// Releases the lease and closes the connections; quick, because a second signal waits for it too.
    func leave() async {
        await withDiscardingTaskGroup { group in
            let releasing = Task { await release() }
            group.addTask {
                try? await Task.sleep(for: Self.leaveLimit)
                releasing.cancel()
            }
            await releasing.value
            group.cancelAll()
        }
        await parts.closeConnections()
        await health?.database.close()
    }

    private func release() async {
        do {
            try await parts.workers.leave(parts.heartbeat.id)
        } catch {
            log.warning("worker.leave.failed", ["error": error])
        }
    }
}
