import AMQP
import DispatchCore

/// The exchange through which everything comes in: jobs, registrations and receipts.
enum IntakeExchange {
    static let name = "push.in"

    /// A job as it is published, whoever sends it.
    static func job(_ id: UUIDValue, lane: Lane, body: [UInt8]) -> AMQPMessage {
        AMQPMessage(
            exchange: name,
            routingKey: lane.jobsRoutingKey,
            body: body,
            properties: AMQPProperties(contentType: "application/json", messageID: id.description)
        )
    }

    /// The key of what goes to a queue of that name.
    static func routingKey(of queue: String) -> String { String(queue.dropFirst("push.".count)) }
}
