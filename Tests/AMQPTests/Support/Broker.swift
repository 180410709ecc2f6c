import Glibc
import Testing

@testable import AMQP

/// The broker of the integration tests, named by `DISPATCHER_AMQP_URL`.
enum Broker {
    static let url = getenv("DISPATCHER_AMQP_URL").map { String(cString: $0) }

    static var isConfigured: Bool {
        url != nil
    }

    static func endpoint(heartbeat: Int = 15) throws -> AMQPEndpoint {
        var endpoint = try AMQPEndpoint(url: url ?? "")
        endpoint.tuning.heartbeat = heartbeat
        return endpoint
    }

    /// Makes what tests need; while hundreds of tests begin, the broker of a busy machine may need its time for it.
    static func topology() throws -> AMQPTopology {
        var endpoint = try endpoint()
        endpoint.tuning.connectSeconds = 60
        endpoint.tuning.rpcSeconds = 60
        return AMQPTopology(endpoint: endpoint)
    }

    static func uniqueName(_ purpose: String) -> String {
        "test.\(purpose).\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Gives the body a queue of its own and deletes it afterwards.
    static func withQueue(
        _ purpose: String,
        type: String = "quorum",
        _ body: (String) async throws -> Void
    ) async throws {
        let topology = try topology()
        let queue = uniqueName(purpose)
        try await topology.declareQueue(queue, arguments: ["x-queue-type": .string(type)])
        do {
            try await body(queue)
        } catch {
            try await topology.deleteQueue(queue)
            throw error
        }
        try await topology.deleteQueue(queue)
    }

    static func messages(_ count: Int, to queue: String) -> [AMQPMessage] {
        (0..<count).map { AMQPMessage(routingKey: queue, body: Array("message \($0)".utf8)) }
    }

    /// Publishes over a publisher of its own and requires every confirm.
    static func fill(_ queue: String, _ count: Int) async throws {
        let publisher = AMQPPublisher(endpoint: try endpoint(), connectionName: "fill") { _ in }
        publisher.start()
        let results = await publisher.publish(messages(count, to: queue), deadline: .seconds(30))
        await publisher.stop()
        try #require(results.count == count && results.allSatisfy { $0 == .confirmed })
    }
}

/// Waits until the condition holds; false when it does not within the time.
///
/// An error counts as "not yet".
func eventually(within limit: Duration = .seconds(20), _ condition: () async throws -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if (try? await condition()) == true { return true }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return (try? await condition()) == true
}
