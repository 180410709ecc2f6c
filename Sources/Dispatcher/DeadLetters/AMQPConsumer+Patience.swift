import AMQP

extension AMQPConsumer {
    /// As ``next(limit:)``, but empty when nothing has come within the time.
    func next(limit: Int, within patience: Duration) async -> [AMQPDelivery] {
        let wait = Task { await next(limit: limit) }
        let timer = Task {
            try await Task.sleep(for: patience)
            wait.cancel()
        }
        defer { timer.cancel() }
        return await wait.value
    }
}
