import Synchronization

/// The life of a publisher's thread: one session after another until it is stopped.
struct PublisherLoop {
    let publisher: AMQPPublisher

    func run() {
        var policy = ReconnectPolicy()
        var generator = SystemDice()
        var outbox = PublisherOutbox()
        while !isStopping {
            var connected: ContinuousClock.Instant?
            guard let error = connectAndServe(&outbox, &connected) else { break }
            lose(error)
            guard let connected else { continue }
            _ = pause(policy.delay(afterSession: .now - connected, using: &generator))
        }
        publisher.finish()
    }

    /// Serves one connection; nil after a stop.
    private func connectAndServe(
        _ outbox: inout PublisherOutbox,
        _ connected: inout ContinuousClock.Instant?
    ) -> AMQPError? {
        do throws(AMQPError) {
            let gate = publisher.endpoint.gate
            guard let handle = try gate.connect(publisher.endpoint, name: publisher.connectionName, wait: pause) else {
                return nil
            }
            connected = .now
            publisher.onEvent(.connected)
            var session = PublisherSession(handle: handle, publisher: publisher)
            try session.run(&outbox)
            return nil
        } catch {
            return error
        }
    }

    private func lose(_ error: AMQPError) {
        publisher.shared.withLock { $0.connection = $0.connection.moved(to: .connecting, lastError: error) }
        publisher.onEvent(.disconnected(error))
    }

    /// Waits; answers whether there is still something to connect for.
    private func pause(_ delay: Duration) -> Bool {
        let end = ContinuousClock.now + delay
        while true {
            publisher.wake.clear()
            let left = end - ContinuousClock.now
            guard left > .zero, !isStopping else { return !isStopping }
            publisher.wake.wait(milliseconds: left.wholeMilliseconds)
        }
    }

    private var isStopping: Bool {
        publisher.shared.withLock { $0.isStopping }
    }
}
