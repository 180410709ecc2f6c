import AMQP
import DispatchCore

/// The messages of one queue as lanes take and finish them; as `QueueIntake`, on the broker client's own floor.
final class FakeIntake {
    let queue: String
    private let broker: FakeBroker
    private var consumer: FakeBroker.Consumer?
    private var floor = AckFloor()
    private var buffer: [AMQPDelivery] = []
    private var waiting: [(limit: Int, then: ([AMQPDelivery]) -> Void)] = []
    private var isStopping = false

    init(_ queue: String, prefetch: Int, of worker: FakeWorker) {
        self.queue = queue
        broker = worker.broker
        consumer = broker.subscribe(worker.process, to: queue, prefetch: prefetch) { [weak self] in self?.receive($0) }
    }

    private func receive(_ message: AMQPDelivery) {
        // What an earlier channel has brought is back in its queue.
        buffer.removeAll { $0.tag.epoch < message.tag.epoch }
        buffer.append(message)
        serve()
    }

    /// Everything that is ready, at most `limit`; never answers once the worker stops taking.
    func take(_ limit: Int, _ then: @escaping ([AMQPDelivery]) -> Void) {
        waiting.append((limit, then))
        serve()
    }

    private func serve() {
        while !isStopping, !buffer.isEmpty, !waiting.isEmpty {
            let (limit, then) = waiting.removeFirst()
            let taken = Array(buffer.prefix(limit))
            buffer.removeFirst(taken.count)
            for message in taken { floor.register(message.tag) }
            then(taken)
        }
    }

    func finish(_ messages: [AMQPDelivery]) {
        guard let highest = floor.complete(messages.map(\.tag)), let consumer else { return }
        broker.acknowledge(highest, by: consumer)
    }

    func stopTaking() { isStopping = true }

    var outstanding: Int { floor.outstanding }
}
