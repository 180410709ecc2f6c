import Synchronization

/// Publishes with confirms over its own connection, channel and thread, and comes back after every failure.
public final class AMQPPublisher: Sendable {
    /// Where it publishes, and as whom.
    public let endpoint: AMQPEndpoint
    let connectionName: String
    let onEvent: @Sendable (AMQPEvent) -> Void
    let wake = WakeSignal()
    let shared = Mutex(PublisherState())

    /// Makes a publisher that does nothing before ``start()``.
    ///
    /// `onEvent` is called on the connection's thread and must not block.
    public init(
        endpoint: AMQPEndpoint,
        connectionName: String,
        onEvent: @escaping @Sendable (AMQPEvent) -> Void
    ) {
        self.endpoint = endpoint
        self.connectionName = connectionName
        self.onEvent = onEvent
    }

    /// Starts the thread, once; it connects and reconnects until ``stop()``.
    public func start() {
        let thread = AMQPThread(name: "amqp-publish") { PublisherLoop(publisher: self).run() }
        let isFirst = shared.withLock { state in
            guard state.thread == nil, !state.isStopping else { return false }
            state.thread = thread
            return true
        }
        guard isFirst else { return }
        // Deadlines hold also while the thread is inside a call, connecting for example.
        let tick = Ticker.shared.add { now in
            for batch in self.shared.withLock({ $0.takeLive() }) { batch.expire(at: now) }
        }
        shared.withLock { $0.tick = tick }
        guard !thread.start() else { return }
        onEvent(.disconnected(AMQPError(.connectFailed, operation: "start", reason: "no more threads")))
        finish()
    }

    /// Publishes all messages, persistent, and waits for every answer of the broker.
    ///
    /// At most 256 messages are unconfirmed at a time; several calls share that window. Results are in the order of
    /// the messages; what has no answer when `deadline` has passed (give or take 0.2 s) is `unknown`.
    public func publish(_ messages: [AMQPMessage], deadline: Duration) async -> [PublishResult] {
        guard !messages.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            let batch = PublishBatch(messages, deadline: .now + deadline, continuation: continuation)
            guard !batch.isFinished else { return }
            guard shared.withLock({ $0.enqueue(batch) }) else { return batch.finish("not sent: not running") }
            wake.signal()
        }
    }

    /// Waits a few seconds for outstanding confirms, closes channel and connection and joins the thread.
    public func stop() async {
        let thread = shared.withLock { state in
            state.stop()
            return state.thread
        }
        wake.signal()
        if let thread { await thread.join() } else { finish() }
    }

    /// Where the connection is in its life.
    public var state: AMQPConnectionState {
        shared.withLock { $0.connection }
    }

    /// Ends the publisher for good.
    func finish() {
        let (live, tick) = shared.withLock { state in
            state.stop()
            state.connection = state.connection.moved(to: .stopped, lastError: state.connection.lastError)
            return (state.takeLive(), state.tick.take())
        }
        if let tick { Ticker.shared.remove(tick) }
        for batch in live { batch.finish("stopped before the confirm") }
    }
}
