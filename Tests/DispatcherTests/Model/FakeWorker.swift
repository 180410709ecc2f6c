import DispatchCore

@testable import Dispatcher

/// A worker as a machine of steps between which anything may happen to it.
///
/// It takes the program's decisions (what a wave becomes, what is rendered, what an outcome means, what is recorded) from
/// the program's own values; only the waiting in between is written again, in the order of the lanes they stand for.
final class FakeWorker {
    let process: FakeProcess
    let simulation: Simulation
    let database: FakeDatabaseServer
    let broker: FakeBroker
    let gateway: FakeGateway
    let profile: ModelProfile
    let broken: Set<BrokenRule>
    let backoff = Backoff()
    let active = ActiveWork()

    /// The number in the table of workers; 0 until it is entered.
    private(set) var id: Int64 = 0
    var intakes: [String: FakeIntake] = [:]
    private var pools: [Bool: FakePool] = [:]
    private let leasePool = FakePool(size: 1)
    private var budgets: [Bool: FakeBudget] = [:]
    private var planners: [Bool: FakePlanner] = [:]
    private var clock = DatabaseTime(offset: 0)

    init(_ name: String, in world: ModelWorld) {
        process = FakeProcess(name, in: world.simulation)
        simulation = world.simulation
        database = world.database
        broker = world.broker
        gateway = world.gateway
        profile = world.profile
        broken = world.broken
        for isUrgent in [false, true] {
            pools[isUrgent] = FakePool(size: isUrgent ? 3 : 8)
            budgets[isUrgent] = FakeBudget(isUrgent ? profile.urgentBudget : profile.sharedBudget)
            planners[isUrgent] = FakePlanner(worker: self)
        }
    }

    var now: Timestamp { clock.at(simulation.now.microseconds) }

    func pool(_ lane: Lane) -> FakePool { pools[lane == .high] ?? leasePool }
    func budget(_ lane: Lane) -> FakeBudget { budgets[lane == .high] ?? FakeBudget(0) }
    func planner(_ lane: Lane) -> FakePlanner? { planners[lane == .high] }

    /// The plans of `owned` that no planner knew in this look and in the one before.
    func abandonedPlans(of owned: [Int64]) -> [Int64] {
        let unknown = [true, false].map { Set(planners[$0]?.active.abandoned(of: owned) ?? []) }
        return owned.filter { id in unknown.allSatisfy { $0.contains(id) } }
    }

    /// Breaks the rings of references when the run is over.
    func dismantle() {
        process.kill()
        intakes = [:]
        pools = [:]
        budgets = [:]
        planners = [:]
    }
}

extension FakeWorker {
    func start() {
        call(leasePool, "enters", { $0.register() }) { [self] result in
            guard case .success(let number) = result else {
                return process.after(.seconds(1)) { self.start() }
            }
            id = number
            simulation.note("\(process.name) is worker \(number)")
            beat()
            startLanes()
            startScheduler()
        }
    }

    private func startLanes() {
        for lane in Lane.allCases {
            let real = LaneProfile.of(lane)
            let jobs = profile.waveLimit(lane) * (real.jobWaves + 1)
            intakes[lane.jobsQueue] = FakeIntake(lane.jobsQueue, prefetch: jobs, of: self)
            intakes[lane.batchesQueue] = FakeIntake(lane.batchesQueue, prefetch: real.batchPrefetch, of: self)
            for _ in 0..<real.jobWaves { runWaves(lane) }
            for _ in 0..<real.batches { runBatches(lane) }
        }
    }

    /// `WorkerParts.runHeartbeat`.
    private func beat() {
        let askedAt = simulation.now.microseconds
        call(leasePool, "renews", { [id] in $0.renew(id) }) { [self] result in
            if case .success(let time) = result {
                let answeredAt = simulation.now.microseconds
                let isTrusting = broken.contains(.pauseUnnoticed)
                clock.synchronise(with: time, askedAt: isTrusting ? answeredAt : askedAt, answeredAt: answeredAt)
            }
            process.after(WorkerStore.heartbeat) { self.beat() }
        }
    }

    /// SIGTERM with nothing left to do: what is still begun goes to others at once.
    func leave(_ then: @escaping () -> Void) {
        call(leasePool, "leaves", { [id] in $0.leave(id) }) { [self] _ in
            process.kill()
            then()
        }
    }
}

extension FakeWorker {
    func call<Value>(
        _ pool: FakePool,
        _ name: @autoclosure @escaping () -> String,
        _ step: @escaping (inout FakeDatabase) throws -> Value,
        _ reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        database.call(from: process, over: pool, name(), step, reply)
    }

    /// `DatabaseGate.insist`: again until it succeeds or is refused for good.
    func insist<Value>(
        _ lane: Lane,
        _ name: String,
        failures: Int = 0,
        _ step: @escaping (inout FakeDatabase) throws -> Value,
        _ then: @escaping (Result<Value, FakeDatabase.Refusal>) -> Void
    ) {
        call(pool(lane), name, step) { [self] result in
            switch result {
            case .success(let value): then(.success(value))
            case .failure(let refusal as FakeDatabase.Refusal): then(.failure(refusal))
            case .failure:
                pause(failures + 1) { self.insist(lane, name, failures: failures + 1, step, then) }
            }
        }
    }

    /// Waits as long as so many failures in a row ask for.
    func pause(_ failures: Int, _ then: @escaping () -> Void) {
        process.after(backoff.delay(failures, using: &simulation.dice), then)
    }
}
