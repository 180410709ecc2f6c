import AMQP
import DispatchCore

/// One pair of hands on a jobs queue: takes a wave, plans it, acknowledges it, sends and records it.
struct JobLane: Sendable {
    let lane: Lane
    let waves: WaveHandler
    let decoder: JobDecoder
    let planner: WavePlanner
    let audiences: AudiencePlanner
    let publisher: BatchPublisher
    let runner: BatchRunner
    let budget: InFlightBudget
    let stragglers: StragglerGroup
    let counters: WorkerCounters

    /// Runs until the intake stops.
    func run() async {
        await waves.run(limit: LaneProfile.of(lane).waveLimit) { (messages) throws(StepFailure) in
            try await runWave(messages)
        }
    }

    private func runWave(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        let decoded = try await waves.insist { try await decoder.decode(messages) }
        try await waves.reject(decoded.rejections)
        guard !decoded.jobs.isEmpty else { return waves.intake.finish(messages) }
        CrashHook.reach(.decoded)
        // The budget is taken before the intent is committed: what waits for it is not in flight.
        let share = await BudgetShare.acquire(LaneProfile.of(lane).batchLimit, of: budget)
        defer { share.release() }
        let plan = try await waves.insist { try await planner.plan(decoded.jobs, lane: lane) }
        CrashHook.reach(.planned)
        try await reject(plan)
        waves.intake.finish(messages)
        CrashHook.reach(.acknowledged)
        counters.addJobs(plan.accepted, repeated: plan.repeated, lane: lane)
        for large in plan.large { audiences.add(large) }
        await run(plan.batches, share: share)
    }

    /// Files what the plan refuses.
    ///
    /// A broker that is away may let that take long, and the plan's first batch has begun: it is not to be taken for one
    /// that nobody works on.
    private func reject(_ plan: WavePlan) async throws(StepFailure) {
        let begun = plan.batches.first?.id
        if let begun { runner.active.insert(begun) }
        do throws(StepFailure) {
            try await waves.reject(plan.rejections)
        } catch {
            if let begun { runner.active.remove(begun) }
            throw error
        }
    }

    /// Sends the wave's batches one after another; each is begun in the commit that records the one before.
    private func run(_ batches: [BatchWork], share: BudgetShare) async {
        var begun = BegunBatch()
        for (index, batch) in batches.enumerated() {
            waves.pulse.begin()
            let next = index + 1 < batches.count ? batches[index + 1] : nil
            let following = await runner.run(
                index == 0 ? batch : batch.atNextEpoch.cancelling(begun.cancelled),
                next: next.map { NextBatch(id: $0.id, epoch: $0.epoch) },
                budget: share,
                stragglers: stragglers
            )
            guard let following else { return await announce(batches[(index + 1)...]) }
            begun = following
        }
    }

    /// Hands batches of the wave that could not follow to whoever is free; the scheduler tries again if this fails.
    private func announce(_ batches: ArraySlice<BatchWork>) async {
        guard !batches.isEmpty else { return }
        do {
            try await publisher.publish(batches.map { PlanStore.PlannedBatch(id: $0.id, size: $0.count) }, lane: lane)
        } catch {
            waves.log.warning("announce.failed", ["batches": batches.count, "error": error])
        }
    }
}

extension BatchWork {
    /// The batch after it was begun or shrunk, each of which raises its epoch by one.
    var atNextEpoch: BatchWork {
        BatchWork(
            id: id,
            epoch: epoch + 1,
            lane: lane,
            isAmbiguous: isAmbiguous,
            isRetry: isRetry,
            parts: parts
        )
    }

    /// The batch with these notifications marked as cancelled since it was read.
    func cancelling(_ cancelled: Set<NotificationID>) -> BatchWork {
        guard !cancelled.isEmpty else { return self }
        var copy = self
        copy.parts = parts.map { part in
            guard cancelled.contains(part.notification.id) else { return part }
            return Part(notification: part.notification.cancelled, targets: part.targets)
        }
        return copy
    }
}

extension NotificationWork {
    fileprivate var cancelled: NotificationWork {
        NotificationWork(
            id: id,
            hub: hub,
            job: job,
            expiresAt: expiresAt,
            isCancelled: true,
            unreadable: unreadable,
            isQuarantined: isQuarantined
        )
    }
}
