import AMQP

/// One pair of hands on a batches queue: claims a batch, acknowledges its message, sends and records it.
struct BatchLane: Sendable {
    let intake: QueueIntake
    let store: BatchStore
    let runner: BatchRunner
    let budget: InFlightBudget
    let stragglers: StragglerGroup
    let gate: DatabaseGate
    let log: Log

    /// Messages taken at once: each but the first is begun in the commit that records the one before it.
    static let chainLength = 4

    /// Runs until the intake stops.
    func run() async {
        while true {
            let messages = await intake.take(limit: Self.chainLength)
            guard !messages.isEmpty, await runTaken(messages) else { return }
        }
    }

    /// Answers whether to go on: a step that was cut off by the end of the drain ends the lane.
    private func runTaken(_ messages: [AMQPDelivery]) async -> Bool {
        let chain = messages.map { (message: $0, announced: BatchMessage(body: $0.body)) }
        var isBegun = false
        for (index, link) in chain.enumerated() {
            guard let announced = link.announced else {
                log.error("batch.malformed", ["queue": intake.queue])
                intake.finish([link.message])
                isBegun = false
                continue
            }
            let next = index + 1 < chain.count ? chain[index + 1].announced : nil
            do throws(StepFailure) {
                isBegun = try await run(announced, message: link.message, isBegun: isBegun, next: next)
            } catch .refused(let reason) {
                // The batch stays in SQL, where the batches view shows it, and is announced again with the stale ones.
                log.error("batch.refused", ["batch": announced.id, "error": reason])
                intake.finish([link.message])
                isBegun = false
            } catch {
                return false
            }
        }
        return true
    }

    /// Sends and records one batch; answers whether `next` was begun with the record.
    private func run(
        _ announced: BatchMessage,
        message: AMQPDelivery,
        isBegun: Bool,
        next: BatchMessage?
    ) async throws(StepFailure) -> Bool {
        let share = await BudgetShare.acquire(announced.size, of: budget)
        defer { share.release() }
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
