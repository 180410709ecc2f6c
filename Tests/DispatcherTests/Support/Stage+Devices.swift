import AMQP
import Testing

@testable import Dispatcher

extension Stage {
    /// Publishes what devices send, in this order.
    func publish(_ bodies: [String], to queue: DeviceQueue) async throws {
        let messages = bodies.map {
            AMQPMessage(
                exchange: "push.in",
                routingKey: queue.rawValue,
                body: Array($0.utf8),
                properties: AMQPProperties(contentType: "application/json")
            )
        }
        let results = await publisher.publish(messages, deadline: .seconds(30))
        try #require(results.allSatisfy { $0 == .confirmed })
    }

    func registerByMessage(_ devices: [Device]) async throws {
        try await publish(devices.map(\.json), to: .installations)
    }

    /// Waits until the queue has nothing that is ready or unacknowledged.
    func expectEmpty(_ queue: DeviceQueue, within limit: Duration = .seconds(30)) async throws {
        let topology = try Servers.topology()
        let isEmpty = await eventually(within: limit) { try await topology.messageCount(queue.name) == 0 }
        #expect(isEmpty)
    }
}
