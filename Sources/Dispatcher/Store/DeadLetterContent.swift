import AMQP
import Postgres

/// A dead letter's message as it was published first, with what the queue's copy says of it.
struct DeadLetterContent: Sendable {
    let id: Int64
    let rejection: Rejection
    let headers: String?
    let byteCount: Int
    let timesSeen: Int
    let replays: Int
    let generation: Int

    static let columns = """
        id, queue, hub, message_id, reason, path, byte_offset, detail, exchange, routing_key, content_type, headers,
        byte_count, times_seen, replays, generation, body, publisher
        """

    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        id = try rows.int8(row, 0)
        let queue = try rows.text(row, 1)
        let origin = Origin(queue: queue, exchange: try rows.textOrNull(row, 8), key: try rows.textOrNull(row, 9))
        let properties = AMQPProperties(
            contentType: try rows.textOrNull(row, 10),
            messageID: try rows.textOrNull(row, 3),
            userID: try rows.textOrNull(row, 17)
        )
        rejection = Rejection(
            AMQPDelivery(
                tag: DeliveryTag(value: 0, epoch: 0),
                body: try rows.bytes(row, 16),
                routingKey: origin.routingKey,
                exchange: origin.exchange,
                isRedelivered: false,
                properties: properties
            ),
            queue: queue,
            hub: try rows.textOrNull(row, 2),
            reason: try rows.text(row, 4),
            path: try rows.textOrNull(row, 5),
            offset: try rows.int4OrNull(row, 6).map { Int($0) },
            detail: try rows.text(row, 7)
        )
        headers = try rows.textOrNull(row, 11)
        byteCount = Int(try rows.int4(row, 12))
        timesSeen = Int(try rows.int4(row, 13))
        replays = Int(try rows.int4(row, 14))
        generation = Int(try rows.int4(row, 15))
    }

    /// Whether the table has all of the body.
    var isWhole: Bool { rejection.message.body.count == byteCount }

    /// The message to be published once more, as it was, without what a client's headers might steer.
    var replay: AMQPMessage {
        let original = rejection.message
        var properties = DeadLetterCarrier.sendable(original.properties)
        properties.headers = ["x-dispatcher-replay": .int(Int64(replays + 1))]
        // A letter from before publishers were kept goes as the operator's own.
        if let publisher = original.properties.userID { properties.headers[PublisherCheck.header] = .string(publisher) }
        return AMQPMessage(
            exchange: original.exchange,
            routingKey: original.routingKey,
            body: original.body,
            properties: properties
        )
    }
}

extension DeadLetterContent {
    /// Where a message was published first.
    struct Origin {
        let exchange: String
        let routingKey: String

        /// Rows from before the exchange was kept are led by their queue's name.
        init(queue: String, exchange: String?, key: String?) {
            if let exchange, let key {
                (self.exchange, routingKey) = (exchange, key)
            } else if queue.hasPrefix("push.jobs.") {
                (self.exchange, routingKey) = (IntakeExchange.name, IntakeExchange.routingKey(of: queue))
            } else {
                (self.exchange, routingKey) = ("", queue)
            }
        }
    }
}
