import AMQP
import DispatchCore

/// One pair of hands on a jobs queue: takes a wave, plans it, acknowledges it, sends and records it.
struct JobLane: Sendable {
    let lane: Lane
    let intake: QueueIntake
    let decoder: JobDecoder
    let planner: WavePlanner
    let audiences: AudiencePlanner
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
            guard !messages.isEmpty else { return }
            let suspicious = messages.filter { $0.deliveryCount >= Self.suspiciousDeliveryCount }
            for message in suspicious { await runAlone(message) }
            await runWave(suspicious.isEmpty ? messages : messages.filter { $0.deliveryCount < Self.suspiciousDeliveryCount })
        }
    }

    /// Tries a message that was in the hands of dying workers by itself, counting the try before it begins.
    private func runAlone(_ message: AMQPDelivery) async {
        let fingerprint = message.fingerprint(queue: intake.queue)
        let tries = await gate.insist(on: intake) { try await suspects.beginTry(fingerprint) }
        if tries > SuspectStore.maximumTries {
            await reject([.poison(message, queue: intake.queue)])
            intake.finish([message])
        } else {
            await runWave([message])
        }
        await gate.insist(on: intake) { try await suspects.clear(fingerprint) }
    }

    private func runWave(_ messages: [AMQPDelivery]) async {
        guard !messages.isEmpty else { return }
        let decoded = await gate.insist(on: intake) { try await decoder.decode(messages) }
        await reject(decoded.rejections)
        guard !decoded.jobs.isEmpty else { return intake.finish(messages) }
        let profile = LaneProfile.of(lane)
        // The budget is taken before the intent is committed: what waits for it is not in flight.
        let share = await BudgetShare.acquire(profile.batchLimit, of: budget)
        let plan = await gate.insist(on: intake) { try await planner.plan(decoded.jobs, lane: lane) }
        await reject(plan.rejections)
        intake.finish(messages)
        counters.addJobs(decoded.jobs.count)
        await run(plan.batches, share: share)
        share.release()
        for large in plan.large { audiences.add(large) }
    }

    /// Sends the wave's batches one after another; each is begun in the commit that records the one before.
    private func run(_ batches: [BatchWork], share: BudgetShare) async {
        for (index, batch) in batches.enumerated() {
            let next = index + 1 < batches.count ? batches[index + 1].id : nil
            let isNextBegun = await runner.run(
                index == 0 ? batch : batch.begun,
                next: next,
                budget: share,
                stragglers: stragglers
            )
            guard isNextBegun else { return }
        }
    }

    private func reject(_ rejections: [Rejection]) async {
        guard !rejections.isEmpty else { return }
        await gate.insist(on: intake) { try await deadLetters.file(rejections) }
    }
}

extension BatchWork {
    /// The batch after `begin`: it was planned with epoch 1 and nobody's, and is ours with epoch 2.
    var begun: BatchWork {
        BatchWork(
            id: id,
            epoch: epoch + 1,
            lane: lane,
            isAmbiguous: isAmbiguous,
            isRetry: isRetry,
            parts: parts
        )
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
}
