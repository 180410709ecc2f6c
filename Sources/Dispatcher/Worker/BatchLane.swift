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
            guard let message = messages.first else { return }
            if let announced = BatchMessage(body: message.body) {
                await run(announced, message: message)
            } else {
                log.error("batch.malformed", ["queue": intake.queue])
                intake.finish([message])
            }
        }
    }

    private func run(_ announced: BatchMessage, message: AMQPDelivery) async {
        let share = await BudgetShare.acquire(announced.size, of: budget)
        defer { share.release() }
        let batch = await gate.insist(on: intake) { try await store.claim(announced.id) }
        // Claimed is committed: from here the lease brings the batch back, not the broker.
        intake.finish([message])
        guard let batch else { return }
        _ = await runner.run(batch, next: nil, budget: share, stragglers: stragglers)
    }
}
