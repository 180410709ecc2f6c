import Synchronization

/// The life of a consumer's thread: one session after another until it is stopped.
struct ConsumerLoop {
    /// What one session leaves to the next.
    private struct History {
        var readySince: ContinuousClock.Instant?
        var hasSubscribed = false
    }

    let consumer: AMQPConsumer

    func run() {
        var policy = ReconnectPolicy()
        var generator = SystemDice()
        var history = History()
        while !isStopping {
            guard let error = connectAndServe(&history) else { break }
            lose(error)
            guard let since = history.readySince else { continue }
            _ = pause(policy.delay(afterSession: .now - since, using: &generator))
        }
        consumer.finish()
    }

    /// Serves one connection; nil after a stop.
    private func connectAndServe(_ history: inout History) -> AMQPError? {
        history.readySince = nil
        do throws(AMQPError) {
            let gate = consumer.endpoint.gate
            guard let handle = try gate.connect(consumer.endpoint, name: consumer.connectionName, wait: pause) else {
                return nil
            }
            history.readySince = .now
            consumer.onEvent(.connected)
            var session = ConsumerSession(handle: handle, consumer: consumer, hasSubscribed: history.hasSubscribed)
            defer { history.hasSubscribed = session.hasSubscribed }
            try session.run()
            return nil
        } catch {
            return error
        }
    }

    private func lose(_ error: AMQPError) {
        consumer.shared.withLock { state in
            state.begin(epoch: 0)
            state.connection = state.connection.moved(to: .connecting, lastError: error)
        }
        consumer.onEvent(.disconnected(error))
    }

    /// Waits; answers whether there is still something to connect for.
    private func pause(_ delay: Duration) -> Bool {
        let end = ContinuousClock.now + delay
        while true {
            consumer.wake.clear()
            let left = end - ContinuousClock.now
            guard left > .zero, !isStopping else { return !isStopping }
            consumer.wake.wait(milliseconds: left.wholeMilliseconds)
        }
    }

    private var isStopping: Bool {
        consumer.shared.withLock { $0.isStopping }
    }
}
