import DispatchCore

@testable import Dispatcher

/// `Scheduler` and `BatchPublisher`.
extension FakeWorker {
    func startScheduler() {
        repeatedly(Scheduler.tick) { self.takeDueWork($0) }
        repeatedly(Scheduler.endingInterval) { self.endCancelled($0) }
        var lastFailure: Timestamp?
        repeatedly(Scheduler.rescueInterval) { [self] done in
            rescue(lastFailure) { isDone in
                if !isDone { lastFailure = self.simulation.now }
                done(isDone)
            }
        }
        repeatedly(Scheduler.reconcileInterval) { self.reconcile($0) }
    }

    private func repeatedly(
        _ interval: Duration,
        failures: Int = 0,
        _ step: @escaping (_ done: @escaping (Bool) -> Void) -> Void
    ) {
        step { [self] isDone in
            if isDone {
                let pause = interval == Scheduler.tick ? profile.tick(database.data, simulation.now) : interval
                process.after(pause) { self.repeatedly(interval, step) }
            } else {
                pause(failures + 1) { self.repeatedly(interval, failures: failures + 1, step) }
            }
        }
    }

    private func takeDueWork(_ done: @escaping (Bool) -> Void) {
        let profile = profile
        call(
            pool(.normal),
            "takes retries",
            { $0.takeDueRetries(limit: profile.retriesPerTick, batchLimit: profile.batchLimit) }
        ) { [self] result in
            guard case .success(let due) = result else { return done(false) }
            announce(due) { [self] isDone in
                if isDone { claimPlans(done) } else { done(false) }
            }
        }
    }

    private func endCancelled(_ done: @escaping (Bool) -> Void) {
        let profile = profile
        call(pool(.normal), "takes cancelled", { $0.takeCancelledRetries(batchLimit: profile.batchLimit) }) {
            [self] result in
            guard case .success(let ended) = result else { return done(false) }
            announce(ended, done)
        }
    }

    private func claimPlans(_ done: @escaping (Bool) -> Void) {
        call(pool(.normal), "claims plans", { [id] in $0.claimDuePlan(worker: id) }) { [self] result in
            guard case .success(let plan) = result else { return done(false) }
            guard let plan else { return done(true) }
            planner(plan.lane)?.add(plan)
            claimPlans(done)
        }
    }

    private func rescue(_ lastFailure: Timestamp?, _ done: @escaping (Bool) -> Void) {
        call(pool(.normal), "finds unannounced", { $0.findUnannounced() }) { [self] result in
            guard case .success(let found) = result else { return done(false) }
            announce(found) { [self] isDone in
                guard isDone else { return done(false) }
                if let lastFailure, simulation.now - lastFailure < WorkerStore.lease { return done(true) }
                rescueLost(done)
            }
        }
    }

    private func rescueLost(_ done: @escaping (Bool) -> Void) {
        call(pool(.normal), "releases plans", { $0.releaseLostPlans() }) { [self] result in
            guard case .success = result else { return done(false) }
            call(pool(.normal), "rescues", { $0.rescue() }) { [self] result in
                guard case .success(let rescued) = result else { return done(false) }
                announce(rescued, done)
            }
        }
    }

    private func reconcile(_ done: @escaping (Bool) -> Void) {
        guard !broken.contains(.noReconciliation) else { return done(true) }
        call(pool(.normal), "owns", { [id] in $0.ownedBatches(id) }) { [self] result in
            guard case .success(let owned) = result else { return done(false) }
            let lost = active.abandoned(of: owned)
            giveBack(lost) { [self] isDone in
                guard isDone else { return done(false) }
                reconcilePlans(done)
            }
        }
    }

    private func giveBack(_ batches: [Int64], _ done: @escaping (Bool) -> Void) {
        guard !batches.isEmpty else { return done(true) }
        call(pool(.normal), "gives back \(batches)", { [id] in $0.giveBack(batches, worker: id) }) { [self] result in
            guard case .success(let given) = result else { return done(false) }
            announce(given, done)
        }
    }

    private func reconcilePlans(_ done: @escaping (Bool) -> Void) {
        call(pool(.normal), "owns plans", { [id] in $0.ownedPlans(id) }) { [self] result in
            guard case .success(let owned) = result else { return done(false) }
            let lost = abandonedPlans(of: owned)
            guard !lost.isEmpty else { return done(true) }
            call(pool(.normal), "gives back plans", { [id] in $0.giveBackPlans(lost, worker: id) }) {
                if case .success = $0 { done(true) } else { done(false) }
            }
        }
    }

    /// Tells the broker of batches, and the database of those that it confirms; answers whether the database was told.
    func announce(_ batches: [FakeDatabase.Announcement], _ done: @escaping (Bool) -> Void) {
        guard !batches.isEmpty else { return done(true) }
        var confirmed: [Int64] = []
        var open = batches.count
        for batch in batches {
            let body = BatchMessage(id: batch.id, size: batch.size).body
            broker.publish(from: process, to: batch.lane.batchesQueue, body) { [self] isConfirmed in
                if isConfirmed { confirmed.append(batch.id) }
                open -= 1
                guard open == 0 else { return }
                guard !confirmed.isEmpty else { return done(true) }
                call(pool(.normal), "marks \(confirmed)", { [confirmed] in $0.markPublished(confirmed) }) {
                    if case .success = $0 { done(true) } else { done(false) }
                }
            }
        }
    }
}
