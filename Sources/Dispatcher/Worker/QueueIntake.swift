import AMQP
import Synchronization

/// One queue's messages as several lanes take and finish them: hands out what is ready, acknowledges in order.
final class QueueIntake: Sendable {
    private struct State {
        var floor = AckFloor()
        var isStopping = false
        var waits: [Int: Task<[AMQPDelivery], Never>] = [:]
        var nextWait = 0
    }

    let queue: String

    /// Whether the queue has a single active consumer, for the sake of order.
    ///
    /// Such a consumer keeps its subscription as long as it has messages: leaving would make another one active, and
    /// what that one takes is younger than what is still in hand here.
    private let keepsOrder: Bool
    private let consumer: AMQPConsumer
    private let state = Mutex(State())

    init(consumer: AMQPConsumer, queue: String, keepsOrder: Bool = false) {
        self.consumer = consumer
        self.queue = queue
        self.keepsOrder = keepsOrder
    }

    func start() { consumer.start() }

    /// Where its connection to the broker is in its life.
    var connection: AMQPConnectionState { consumer.state }

    /// Everything that is ready, at most `limit`; waits while there is nothing; empty when the worker stops taking.
    func take(limit: Int) async -> [AMQPDelivery] {
        guard let (id, wait) = beginWait(limit: limit) else { return [] }
        let taken = await wait.value
        state.withLock { state in
            state.waits[id] = nil
            for message in taken { state.floor.register(message.tag) }
        }
        return taken
    }

    private func beginWait(limit: Int) -> (Int, Task<[AMQPDelivery], Never>)? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            // A task of its own, because stopping must end the wait for messages and nothing else of the lane.
            let wait = Task { [consumer] in await consumer.next(limit: limit) }
            state.nextWait += 1
            state.waits[state.nextWait] = wait
            return (state.nextWait, wait)
        }
    }

    /// Acknowledges finished messages, as far as everything before them is finished too.
    func finish(_ messages: [AMQPDelivery]) {
        let highest = state.withLock { $0.floor.complete(messages.map(\.tag)) }
        if let highest { consumer.acknowledge(highest, multiple: true) }
    }

    /// Gives messages back to their queue; those of a channel that is gone are there already.
    func giveBack(_ messages: [AMQPDelivery]) {
        for message in messages { consumer.reject(message.tag, requeue: true) }
        let highest = state.withLock { state in
            messages.reduce(nil as DeliveryTag?) { state.floor.settle($1.tag) ?? $0 }
        }
        if let highest { consumer.acknowledge(highest, multiple: true) }
    }

    /// Stops asking the broker for more; what was taken is still finished.
    func stopTaking() {
        pause()
        let waits = state.withLock { state in
            state.isStopping = true
            return Array(state.waits.values)
        }
        for wait in waits { wait.cancel() }
    }

    /// The database is away: nothing new is asked for, and nothing is sent back.
    func pause() {
        if !keepsOrder { consumer.pause() }
    }

    func resume() {
        guard !keepsOrder, !state.withLock({ $0.isStopping }) else { return }
        consumer.resume()
    }

    /// Sends the last acknowledgements and leaves; what is unacknowledged goes back to the queue.
    func close() async { await consumer.stop() }
}
