import Synchronization

/// Reads one queue over its own connection, channel and thread, and comes back after every failure.
///
/// Deliveries wait here, at most `prefetch` of them, until ``next(limit:)`` takes them. They belong to the channel that
/// brought them: when it is lost the broker requeues them, those still waiting here are dropped, and late
/// acknowledgements are ignored.
public final class AMQPConsumer: Sendable {
    let endpoint: AMQPEndpoint
    let queue: String
    let prefetch: Int
    let connectionName: String
    let onEvent: @Sendable (AMQPEvent) -> Void
    let wake = WakeSignal()
    let shared = Mutex(ConsumerState())

    /// Makes a consumer that does nothing before ``start()``.
    ///
    /// `onEvent` is called on the connection's thread and must not block. Quorum queues allow a prefetch of 2,000.
    public init(
        endpoint: AMQPEndpoint,
        queue: String,
        prefetch: Int,
        connectionName: String,
        onEvent: @escaping @Sendable (AMQPEvent) -> Void
    ) {
        precondition(prefetch > 0 && prefetch <= 65_535, "a prefetch of 0 would mean no limit")
        self.endpoint = endpoint
        self.queue = queue
        self.prefetch = prefetch
        self.connectionName = connectionName
        self.onEvent = onEvent
    }

    /// Starts the thread, once; it connects, subscribes and reconnects until ``stop()``.
    public func start() {
        let thread = AMQPThread(name: "amqp-consume") { ConsumerLoop(consumer: self).run() }
        let isFirst = shared.withLock { state in
            guard state.thread == nil, !state.isStopping else { return false }
            state.thread = thread
            return true
        }
        guard isFirst, !thread.start() else { return }
        onEvent(.disconnected(AMQPError(.connectFailed, operation: "start", reason: "no more threads")))
        finish()
    }

    /// Takes everything that is ready, 1 to `limit` deliveries in order, waiting only while there are none.
    ///
    /// Empty once stopped, and when the calling task is cancelled. Several tasks may call it at a time.
    public func next(limit: Int) async -> [AMQPDelivery] {
        precondition(limit > 0, "a limit of 0 could never be met")
        if Task.isCancelled { return [] }
        let (batch, id) = shared.withLock { ($0.take(limit: limit), $0.makeWaiterID()) }
        if let batch { return batch }
        return await wait(id, limit: limit)
    }

    private func wait(_ id: UInt64, limit: Int) async -> [AMQPDelivery] {
        defer { if Task.isCancelled { shared.withLock { $0.forget(id) } } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = ConsumerState.Waiter(id: id, limit: limit, continuation: continuation)
                if let batch = shared.withLock({ $0.wait(waiter) }) { continuation.resume(returning: batch) }
            }
        } onCancel: {
            shared.withLock { $0.cancel(id) }?.continuation.resume(returning: [])
        }
    }

    /// Acknowledges a delivery, with `multiple` also all earlier ones of its channel; sent at once.
    ///
    /// Each delivery may be answered once: the broker closes the channel over an unknown tag.
    public func acknowledge(_ tag: DeliveryTag, multiple: Bool) {
        answer(.acknowledge(tag, multiple: multiple))
    }

    /// Gives a delivery back to the queue, or to the dead letters when `requeue` is false.
    public func reject(_ tag: DeliveryTag, requeue: Bool) {
        answer(.reject(tag, requeue: requeue))
    }

    private func answer(_ answer: ConsumerState.Answer) {
        if shared.withLock({ $0.answer(answer) }) { wake.signal() }
    }

    /// Ends the subscription and keeps the connection; what was prefetched stays available and can be answered.
    public func pause() {
        shared.withLock { $0.isPaused = true }
        wake.signal()
    }

    /// Subscribes again after ``pause()``.
    public func resume() {
        shared.withLock { $0.isPaused = false }
        wake.signal()
    }

    /// Ends the subscription, sends the queued answers, closes channel and connection and joins the thread.
    ///
    /// What is not acknowledged by then goes back to the queue.
    public func stop() async {
        let (waiters, thread) = shared.withLock { ($0.stop(), $0.thread) }
        for waiter in waiters { waiter.continuation.resume(returning: []) }
        wake.signal()
        if let thread { await thread.join() } else { finish() }
    }

    /// Where the connection is in its life.
    public var state: AMQPConnectionState {
        shared.withLock { $0.connection }
    }

    /// Ends the consumer for good.
    func finish() {
        let waiters = shared.withLock { state in
            state.connection = state.connection.moved(to: .stopped, lastError: state.connection.lastError)
            return state.stop()
        }
        for waiter in waiters { waiter.continuation.resume(returning: []) }
    }
}
