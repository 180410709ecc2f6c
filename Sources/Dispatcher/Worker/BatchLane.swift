import AMQP

/// One pair of hands on a batches queue: claims a batch, acknowledges its message, sends and records it.
struct BatchLane: Sendable {
    let intake: QueueIntake
    let store: BatchStore
    let runner: BatchRunner
    let budget: InFlightBudget
    let stragglers: StragglerGroup
    let gate: DatabaseGate
    let counters: WorkerCounters
    let pulse: LanePulse
    let log: Log

    /// Messages taken at once: each but the first is begun in the commit that records the one before it.
    static let chainLength = 4

    /// Runs until the intake stops.
    func run() async {
        while true {
            pulse.rest()
            let messages = await intake.take(limit: Self.chainLength)
            guard !messages.isEmpty else { return }
            let start = ContinuousClock.now
            guard await runTaken(messages) else { return }
            counters.addWave(messages.count, from: intake.queue, in: .now - start)
        }
    }

    /// Answers whether to go on: a step that was cut off by the end of the drain ends the lane.
    private func runTaken(_ messages: [AMQPDelivery]) async -> Bool {
        let chain = messages.map { Link(message: $0, announced: BatchMessage(body: $0.body)) }
        // The share of a batch that was begun with the record of the one before: it passes on from the one to the other.
        var held: BudgetShare?
        defer { held?.release() }
        for index in chain.indices {
            pulse.begin()
            guard let announced = chain[index].announced else {
                log.error("batch.malformed", ["queue": intake.queue])
                intake.finish([chain[index].message])
                continue
            }
            let isBegun = held != nil
            let share: BudgetShare
            if let held { share = held } else { share = await acquire(for: chain[index...]) }
            held = nil
            do throws(StepFailure) {
                let next = index + 1 < chain.count ? chain[index + 1].announced : nil
                let isNextBegun = try await run(announced, chain[index].message, isBegun: isBegun, next: next, share)
                if isNextBegun { held = share } else { share.release() }
            } catch {
                share.release()
                guard case .refused(let reason) = error else { return false }
                // The batch stays in SQL, where the batches view shows it, and is announced again with the stale ones.
                log.error("batch.refused", ["batch": announced.id, "error": reason])
                intake.finish([chain[index].message])
            }
        }
        return true
    }

    /// One message of a chain, and the batch that it names.
    private struct Link {
        let message: AMQPDelivery
        let announced: BatchMessage?
    }

    /// Makes room for the largest batch of the chain: whichever is begun with a record has its room already, so what is
    /// begun is never more than the budget.
    private func acquire(for chain: ArraySlice<Link>) async -> BudgetShare {
        await BudgetShare.acquire(chain.compactMap { $0.announced?.size }.max() ?? 0, of: budget)
    }

    /// Sends and records one batch; answers whether `next` was begun with the record.
    private func run(
        _ announced: BatchMessage,
        _ message: AMQPDelivery,
        isBegun: Bool,
        next: BatchMessage?,
        _ share: BudgetShare
    ) async throws(StepFailure) -> Bool {
        let batch = try await gate.insist(on: intake) {
            isBegun ? try await store.read(announced.id) : try await store.claim(announced.id)
        }
        CrashHook.reach(.claimed)
        // Claimed is committed: from here the lease brings the batch back, not the broker.
        intake.finish([message])
        CrashHook.reach(.claimAcknowledged)
        guard let batch else { return false }
        let begun = await runner.run(
            batch,
            next: next.map { NextBatch(id: $0.id, epoch: nil) },
            budget: share,
            stragglers: stragglers
        )
        return begun != nil
    }
}
