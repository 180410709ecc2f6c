import AMQP
import DispatchCore
import Gateways
import Glibc
import Postgres

/// The assembled pieces of a worker.
///
/// Arrows go one way: lanes use runners, runners use stores.
struct WorkerParts: Sendable {
    let heartbeat: WorkerHeartbeat
    let workers: WorkerStore
    let scheduler: Scheduler
    let planners: AudiencePlanners
    let publishers: [AMQPPublisher]
    let intakes: [QueueIntake]
    let jobLanes: [JobLane]
    let batchLanes: [BatchLane]
    let registrationLane: RegistrationLane
    let receiptLane: ReceiptLane
    let stragglers: StragglerGroup
    let pools: [PostgresPool]
    let counters: WorkerCounters
    let clock: DatabaseClock
    let log: Log

    func startConnections() {
        for publisher in publishers { publisher.start() }
        for intake in intakes { intake.start() }
    }

    /// Runs every lane, then what outlived them; returns when all of it is recorded.
    func runLanes() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await planners.urgent.run() }
            group.addTask { await planners.shared.run() }
            group.addTask { await stragglers.run() }
            await withDiscardingTaskGroup { lanes in
                for lane in jobLanes {
                    lanes.addTask(priority: lane.lane == .high ? .high : .medium) { await lane.run() }
                }
                for lane in batchLanes {
                    lanes.addTask(priority: .medium) { await lane.run() }
                }
                lanes.addTask(priority: .medium) { await registrationLane.run() }
                lanes.addTask(priority: .medium) { await receiptLane.run() }
            }
            stragglers.finish()
        }
    }

    /// Renews the lease and keeps the clock; a failure is tried again at the next beat.
    func runHeartbeat() async {
        while !Task.isCancelled {
            var beat = heartbeat
            beat.jobs = counters.jobs
            beat.deliveries = counters.deliveries
            beat.state = planners.isStopping ? "draining" : "running"
            do {
                try await clock.synchronise { try await workers.renew(beat) }
            } catch {
                log.warning("heartbeat.failed", ["error": error])
            }
            try? await Task.sleep(for: WorkerStore.heartbeat)
        }
    }

    func stopTaking() {
        planners.stop()
        for intake in intakes { intake.stopTaking() }
    }

    func closeConnections() async {
        for intake in intakes { await intake.close() }
        for publisher in publishers { await publisher.stop() }
        for pool in pools { await pool.close() }
    }
}
