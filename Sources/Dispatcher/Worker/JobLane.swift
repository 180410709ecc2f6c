import AMQP
import DispatchCore

/// One pair of hands on a jobs queue: takes a wave, plans it, acknowledges it, sends and records it.
struct JobLane: Sendable {
    let lane: Lane
    let intake: QueueIntake
    let decoder: JobDecoder
    let planner: WavePlanner
    let audiences: AudiencePlanner
    let publisher: BatchPublisher
    let deadLetters: DeadLetterOffice
    let suspects: SuspectStore
    let runner: BatchRunner
    let budget: InFlightBudget
    let stragglers: StragglerGroup
    let gate: DatabaseGate
    let counters: WorkerCounters
    let log: Log

    /// A message seen by this many workers that died is tried alone from then on.
    private static let suspiciousDeliveryCount = 2

    /// Runs until the intake stops.
    func run() async {
        while true {
            let messages = await intake.take(limit: LaneProfile.of(lane).waveLimit)
            guard !messages.isEmpty, await runTaken(messages) else { return }
        }
    }

    /// Answers whether to go on: a step that was cut off by the end of the drain ends the lane.
    private func runTaken(_ messages: [AMQPDelivery]) async -> Bool {
        do throws(StepFailure) {
            let suspicious = messages.filter { $0.deliveryCount >= Self.suspiciousDeliveryCount }
            for message in suspicious { try await runAlone(message) }
            let others = messages.filter { $0.deliveryCount < Self.suspiciousDeliveryCount }
            if !others.isEmpty { try await runWave(others) }
            return true
        } catch {
            if case .refused(let reason) = error {
                // Not even the rejection could be written: the messages stay unacknowledged and come again with the
                // next connection.
                log.error("wave.refused", ["queue": intake.queue, "messages": messages.count, "error": reason])
            }
            return error != .stopped
        }
    }

    /// Tries a message that was in the hands of dying workers by itself, counting the try before it begins.
    private func runAlone(_ message: AMQPDelivery) async throws(StepFailure) {
        let fingerprint = message.fingerprint(queue: intake.queue)
        let tries = try await gate.insist(on: intake) { try await suspects.beginTry(fingerprint) }
        if tries > SuspectStore.maximumTries {
            try await reject([.poison(message, queue: intake.queue)])
            intake.finish([message])
        } else {
            try await runWave([message])
        }
        try await gate.insist(on: intake) { try await suspects.clear(fingerprint) }
    }

    /// Runs a wave; one that the database refuses is taken apart, so that only the guilty message is rejected.
    private func runWave(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        do throws(StepFailure) {
            try await runWhole(messages)
        } catch .refused(let reason) where messages.count == 1 {
            try await reject([.refused(messages[0], queue: intake.queue, reason: reason)])
            intake.finish(messages)
        } catch .refused {
            for message in messages { try await runWave([message]) }
        } catch {
            throw error
        }
    }

    private func runWhole(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        let decoded = try await gate.insist(on: intake) { try await decoder.decode(messages) }
        try await reject(decoded.rejections)
        guard !decoded.jobs.isEmpty else { return intake.finish(messages) }
        // The budget is taken before the intent is committed: what waits for it is not in flight.
        let share = await BudgetShare.acquire(LaneProfile.of(lane).batchLimit, of: budget)
        defer { share.release() }
        let plan = try await gate.insist(on: intake) { try await planner.plan(decoded.jobs, lane: lane) }
        try await reject(plan.rejections)
        intake.finish(messages)
        counters.addJobs(decoded.jobs.count)
        for large in plan.large { audiences.add(large) }
        await run(plan.batches, share: share)
    }

    /// Sends the wave's batches one after another; each is begun in the commit that records the one before.
    private func run(_ batches: [BatchWork], share: BudgetShare) async {
        var begun = BegunBatch()
        for (index, batch) in batches.enumerated() {
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
            log.warning("announce.failed", ["batches": batches.count, "error": error])
        }
    }

    private func reject(_ rejections: [Rejection]) async throws(StepFailure) {
        guard !rejections.isEmpty else { return }
        try await gate.insist(on: intake) { try await deadLetters.file(rejections) }
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
        NotificationWork(id: id, hub: hub, job: job, expiresAt: expiresAt, isCancelled: true)
    }
}

extension Rejection {
    static func poison(_ message: AMQPDelivery, queue: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            reason: "crashesWorkers",
            detail: "Workers died \(SuspectStore.maximumTries) times while they handled this message alone."
        )
    }

    static func refused(_ message: AMQPDelivery, queue: String, reason: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            reason: "refusedByDatabase",
            detail: "The database refuses this job: \(reason)."
        )
    }
}
