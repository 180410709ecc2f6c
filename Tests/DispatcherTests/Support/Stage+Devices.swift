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

    /// Waits until the query answers the count.
    func expect(_ count: Int, _ sql: String, within limit: Duration = .seconds(30)) async throws {
        let isSo = await eventually(within: limit) { try await database.count(sql) == count }
        let found = try await database.count(sql)
        #expect(isSo, "found \(found)")
    }

    /// Waits until the query answers that much.
    func expect(atLeast count: Int, _ sql: String, within limit: Duration = .seconds(30)) async throws {
        #expect(await eventually(within: limit) { try await database.count(sql) >= count })
    }

    /// Expects that no message is left, now that no worker has any in hand.
    func expectEmpty(_ queue: DeviceQueue) async throws {
        let topology = try Servers.topology()
        let isEmpty = await eventually { try await topology.messageCount(queue.name) == 0 }
        #expect(isEmpty)
    }
}
