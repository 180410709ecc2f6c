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
    let unroutableLane: UnroutableLane
    let stragglers: StragglerGroup
    let pools: [PostgresPool]
    let counters: WorkerCounters
    let channels: ChannelWatch
    let budgets: [(name: String, budget: InFlightBudget)]
    let lanes: LaneWatch
    let lease = LeaseAge()
    let clock: DatabaseClock
    let log: Log

    /// How metrics call the publishers, in their order.
    static let publisherNames = ["publisher", "events"]

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
            await runHands()
            stragglers.finish()
        }
    }

    private func runHands() async {
        await withDiscardingTaskGroup { group in
            for lane in jobLanes {
                group.addTask(priority: lane.lane == .high ? .high : .medium) {
                    await lane.run()
                    end(lane.waves.intake)
                }
            }
            for lane in batchLanes {
                group.addTask(priority: .medium) {
                    await lane.run()
                    end(lane.intake)
                }
            }
            group.addTask(priority: .medium) {
                await registrationLane.run()
                end(registrationLane.waves.intake)
            }
            group.addTask(priority: .medium) {
                await receiptLane.run()
                end(receiptLane.waves.intake)
            }
            group.addTask(priority: .medium) {
                await unroutableLane.run()
                end(unroutableLane.waves.intake)
            }
        }
    }

    /// Hands that end while nobody has stopped them would leave a worker that is up and takes nothing.
    private func end(_ intake: QueueIntake) {
        if !planners.isStopping, !Task.isCancelled { lanes.lose(intake.queue) }
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
                lease.renew()
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
