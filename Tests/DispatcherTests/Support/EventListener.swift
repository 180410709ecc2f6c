import AMQP
import DispatchCore
import Testing

@testable import Dispatcher

/// A queue of its own, bound to the hub's events, as another service has one.
struct EventListener: Sendable {
    let queue: String
    private let consumer: AMQPConsumer

    static func with<R>(_ key: String = "notification.#", _ body: (EventListener) async throws -> R) async throws -> R {
        let topology = try Servers.topology()
        let queue = "dispatcher-test-events-\(UInt32.random(in: 0 ... .max))"
        try await topology.declareQueue(queue)
        try await topology.bind(queue: queue, exchange: "push.events", routingKey: key)
        let consumer = AMQPConsumer(
            endpoint: try Servers.endpoint(),
            queue: queue,
            prefetch: 1000,
            connectionName: "DispatcherTests events",
            onEvent: { _ in }
        )
        consumer.start()
        let result: Result<R, any Error>
        do {
            result = .success(try await body(EventListener(queue: queue, consumer: consumer)))
        } catch {
            result = .failure(error)
        }
        await consumer.stop()
        try await topology.deleteQueue(queue)
        return try result.get()
    }

    /// Takes events until `count` are there, then looks briefly whether one more comes.
    func take(_ count: Int, within limit: Duration = .seconds(20)) async throws -> [ToldEvent] {
        let end = ContinuousClock.now + limit
        var taken: [ToldEvent] = []
        while taken.count <= count {
            let patience = taken.count < count ? end - .now : .milliseconds(400)
            guard patience > .zero else { break }
            let more = await consumer.next(limit: 1000, within: patience)
            if more.isEmpty { break }
            taken += try more.map { try ToldEvent($0) }
            for message in more { consumer.acknowledge(message.tag, multiple: false) }
        }
        return taken
    }
}

/// An event as it came.
struct ToldEvent: Sendable {
    let routingKey: String
    let contentType: String?
    private let value: JSONValue

    init(_ message: AMQPDelivery) throws {
        routingKey = message.routingKey
        contentType = message.properties.contentType
        value = try JSONParser.parse(message.body)
    }

    var id: String { self["id"] ?? "" }
    var kind: String { String(routingKey.dropFirst("notification.".count)) }

    subscript(name: String) -> String? { Self.text(value[name]) }

    /// A member of its data.
    func data(_ name: String) -> String? { Self.text(value["data"]?[name]) }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text
        case .number(let number)?: number.int64.map { String($0) }
        default: nil
        }
    }
}
