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

    /// Runs until the intake stops.
    func run() async {
        while true {
            let messages = await intake.take(limit: 1)
            guard let message = messages.first, await runTaken(message) else { return }
        }
    }

    /// Answers whether to go on: a step that was cut off by the end of the drain ends the lane.
    private func runTaken(_ message: AMQPDelivery) async -> Bool {
        guard let announced = BatchMessage(body: message.body) else {
            log.error("batch.malformed", ["queue": intake.queue])
            intake.finish([message])
            return true
        }
        do throws(StepFailure) {
            try await run(announced, message: message)
        } catch .refused(let reason) {
            // The batch stays in SQL, where the batches view shows it; its message would only come round again.
            log.error("batch.refused", ["batch": announced.id, "error": reason])
            intake.finish([message])
        } catch {
            return false
        }
        return true
    }

    private func run(_ announced: BatchMessage, message: AMQPDelivery) async throws(StepFailure) {
        let share = await BudgetShare.acquire(announced.size, of: budget)
        defer { share.release() }
        let batch = try await gate.insist(on: intake) { try await store.claim(announced.id) }
        // Claimed is committed: from here the lease brings the batch back, not the broker.
        intake.finish([message])
        guard let batch else { return }
        _ = await runner.run(batch, next: nil, budget: share, stragglers: stragglers)
    }
}
