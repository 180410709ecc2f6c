import AMQP
import Testing

@testable import Dispatcher

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
            let patience = taken.count < count ? Duration.seconds(15) : .milliseconds(300)
            let more = await consumer.next(limit: 100, within: patience)
            if more.isEmpty { break }
            taken += more
        }
        for message in taken { consumer.acknowledge(message.tag, multiple: false) }
        await consumer.stop()
        return taken
    }
}

extension AMQPDelivery {
    func header(_ name: String) -> AMQPValue? { properties.headers["x-dispatcher-\(name)"] }
}
