import AMQP

/// Where and why the broker gave a message up, by the headers it adds when it dead-letters.
///
/// A publisher may have sent such headers too, and the broker keeps what it finds in them. Of the newest entry, the first,
/// only queue and reason are the broker's own for certain, as it looks an entry up by these two and moves the one found
/// to the front; so everything else follows from the queue.
struct BrokerDeath: Sendable {
    /// One of the queues that workers consume, else ``unknownQueue``.
    let queue: String

    /// Where the message came in; nil for an unknown queue.
    let origin: MessageOrigin?
    let detail: String

    /// What stands in the place of a queue that is none of ours.
    static let unknownQueue = "unknown"

    /// Nil when the broker has not dead-lettered the message.
    init?(_ headers: [String: AMQPValue]) {
        guard case .array(let entries)? = headers["x-death"] else { return nil }
        guard case .table(let newest)? = entries.first, let name = newest["queue"]?.stringValue else { return nil }
        origin = MessageOrigin(queue: name)
        queue = origin == nil ? Self.unknownQueue : name
        let reason = newest["reason"]?.stringValue ?? "unknown"
        let deliveries = headers["x-delivery-count"]?.intValue.map { ", given back \($0) times" } ?? ""
        detail = "the broker gave it up in \(name): \(reason)\(deliveries)"
    }
}
