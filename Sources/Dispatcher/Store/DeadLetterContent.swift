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
        let (exchange, key) = (try rows.textOrNull(row, 8), try rows.textOrNull(row, 9))
        // Rows from before exchange and key were kept are led by their queue's name.
        let origin = MessageOrigin(queue: queue, routingKey: key)
        let properties = AMQPProperties(
            contentType: try rows.textOrNull(row, 10),
            messageID: try rows.textOrNull(row, 3),
            userID: try rows.textOrNull(row, 17)
        )
        rejection = Rejection(
            AMQPDelivery(
                tag: DeliveryTag(value: 0, epoch: 0),
                body: try rows.bytes(row, 16),
                routingKey: key ?? origin?.routingKey ?? "",
                exchange: exchange ?? origin?.exchange ?? "",
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

    /// The key to replay it with: its own if that leads to a queue, else the one given; nil when there is neither.
    ///
    /// Derived from its queue, whatever exchange and key the row names: those of an old row may be forged.
    func replayKey(else key: String?) -> String? {
        let origin = MessageOrigin(queue: rejection.queue, routingKey: rejection.message.routingKey)
        if let origin, origin.isOpenToAll { return origin.routingKey }
        return key.flatMap { IntakeExchange.keys.contains($0) ? $0 : nil }
    }

    /// The message to be published once more, as it was, without what a client's headers might steer.
    ///
    /// It goes to ``IntakeExchange`` and nowhere else; nil when no key is known for it.
    func replay(key: String? = nil) -> AMQPMessage? {
        guard let key = replayKey(else: key) else { return nil }
        let original = rejection.message
        var properties = DeadLetterCarrier.sendable(original.properties)
        properties.headers = ["x-dispatcher-replay": .int(Int64(replays + 1))]
        // A letter from before publishers were kept goes as the operator's own.
        if let publisher = original.properties.userID { properties.headers[PublisherCheck.header] = .string(publisher) }
        return AMQPMessage(
            exchange: IntakeExchange.name,
            routingKey: key,
            body: original.body,
            properties: properties
        )
    }
}
