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

    /// The keys that lead somewhere; anything else ends in the queue of the unroutable.
    static let keys = Lane.allCases.map(\.jobsRoutingKey) + DeviceQueue.allCases.map(\.rawValue)

    /// The key of what goes to a queue of that name; nil for one that this exchange does not fill.
    static func routingKey(of queue: String) -> String? { keys.first { queue == "push.\($0)" } }
}

extension AMQPPublisher {
    /// Publishes what comes in under the name of this login, which the broker verifies: hubs may take it of some only.
    func publishSigned(_ messages: [AMQPMessage], deadline: Duration) async -> [PublishResult] {
        guard let login = endpoint.login else { return await publish(messages, deadline: deadline) }
        let signed = messages.map { message in
            guard message.exchange == IntakeExchange.name else { return message }
            var message = message
            message.properties.userID = login
            return message
        }
        return await publish(signed, deadline: deadline)
    }
}

extension AMQPEndpoint {
    /// The name by which the broker knows us; nil for a certificate, which has another one there.
    var login: String? { user.isEmpty ? nil : user }
}
