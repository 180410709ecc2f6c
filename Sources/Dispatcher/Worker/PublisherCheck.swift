import AMQP
import DispatchCore

/// Whose messages a hub takes: of its own publishers, or where it names none, of all that no hub names.
///
/// The broker refuses a message whose `user-id` is not the login that publishes it, so what is there is true.
struct PublisherCheck: Sendable {
    /// The login of this worker: what it carries is the hub's own, such as a job of the API's.
    let own: String?

    /// The header of a replay: who published the message first, empty for nobody; believed of the hub's own only.
    static let header = "x-dispatcher-publisher"

    /// Nil when the hub takes the message.
    func rejection(of message: AMQPDelivery, for hub: Hub, job: UUIDValue? = nil, queue: String) -> Rejection? {
        guard !hub.boundUsers.isEmpty else { return nil }
        let publisher = publisher(of: message)
        if let publisher, publisher == own || hub.publishers.contains(publisher) { return nil }
        guard let detail = Self.detail(publisher, hub) else { return nil }
        return Rejection(
            message.published(by: publisher),
            queue: queue,
            hub: hub.name,
            reason: "forbiddenPublisher",
            path: "$.hub",
            jobID: job,
            detail: detail
        )
    }

    /// What is wrong with a publisher that is none of the hub's; nil when nothing is.
    private static func detail(_ publisher: String?, _ hub: Hub) -> String? {
        let user = publisher.flatMap { $0.isEmpty ? nil : $0 }
        if let user, hub.boundUsers.contains(user) {
            return "The publisher is named for other hubs, and publishes for these only."
        }
        guard !hub.publishers.isEmpty else { return nil }
        let fault = user == nil ? "has no user-id" : "is of another"
        return "This hub takes messages of its publishers only, and this one \(fault)."
    }

    /// The message as whoever published it first did: one that comes back after a replay is not the operator's.
    func original(_ message: AMQPDelivery) -> AMQPDelivery { message.published(by: publisher(of: message)) }

    private func publisher(of message: AMQPDelivery) -> String? {
        guard let user = message.properties.userID else { return nil }
        return user == own ? message.properties.headers[Self.header]?.stringValue ?? user : user
    }
}

extension AMQPDelivery {
    /// The same message of this publisher.
    fileprivate func published(by publisher: String?) -> AMQPDelivery {
        var properties = properties
        properties.userID = publisher
        return AMQPDelivery(
            tag: tag,
            body: body,
            routingKey: routingKey,
            exchange: exchange,
            isRedelivered: isRedelivered,
            properties: properties
        )
    }
}
