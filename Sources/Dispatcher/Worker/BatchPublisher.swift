import AMQP
import DispatchCore

/// Announces committed batches on the broker; one that is not confirmed is announced again by the scheduler.
struct BatchPublisher: Sendable {
    let publisher: AMQPPublisher
    let store: BatchStore

    static let exchange = "push.work"

    private static let confirmDeadline = Duration.seconds(10)

    func publish(_ batches: [PlanStore.PlannedBatch], lane: Lane) async throws {
        let messages = batches.map { batch in
            AMQPMessage(
                exchange: Self.exchange,
                routingKey: lane.batchesRoutingKey,
                body: BatchMessage(id: batch.id, size: batch.size).body,
                properties: AMQPProperties(contentType: "application/json")
            )
        }
        let results = await publisher.publish(messages, deadline: Self.confirmDeadline)
        CrashHook.reach(.announced)
        let confirmed = zip(batches, results).filter { $1 == .confirmed }.map(\.0.id)
        if !confirmed.isEmpty { try await store.markPublished(confirmed) }
    }
}
