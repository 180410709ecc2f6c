import AMQP
import Testing

/// What lies in `push.dead`.
enum DeadLetters {
    /// Takes messages until `count` are there, then looks briefly whether one more comes.
    static func take(_ count: Int) async throws -> [AMQPDelivery] {
        let consumer = AMQPConsumer(
            endpoint: try Servers.endpoint(),
            queue: "push.dead",
            prefetch: 500,
            connectionName: "DispatcherTests dead",
            onEvent: { _ in }
        )
        consumer.start()
        var taken: [AMQPDelivery] = []
        while taken.count <= count {
            let more = await next(consumer, within: taken.count < count ? .seconds(15) : .milliseconds(300))
            if more.isEmpty { break }
            taken += more
        }
        for message in taken { consumer.acknowledge(message.tag, multiple: false) }
        await consumer.stop()
        return taken
    }

    private static func next(_ consumer: AMQPConsumer, within limit: Duration) async -> [AMQPDelivery] {
        let wait = Task { await consumer.next(limit: 100) }
        let timer = Task {
            try await Task.sleep(for: limit)
            wait.cancel()
        }
        defer { timer.cancel() }
        return await wait.value
    }
}

extension AMQPDelivery {
    func header(_ name: String) -> AMQPValue? { properties.headers["x-dispatcher-\(name)"] }
}
