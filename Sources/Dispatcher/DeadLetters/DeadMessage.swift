import AMQP

/// A message found in `push.dead`: one of the office's, or one that the broker itself has given up.
struct DeadMessage: Sendable {
    let delivery: AMQPDelivery

    /// As it was taken from its queue, with the reason why it is dead.
    let rejection: Rejection
    let generation: Int
    let isByBroker: Bool
    let fingerprint: [UInt8]

    /// The reason of messages that no worker has refused.
    static let brokerReason = "brokerDeadLetter"

    init(_ delivery: AMQPDelivery, publishers: PublisherCheck) {
        self.delivery = delivery
        let headers = delivery.properties.headers
        // The office strips all headers that a client sent along, so that here the broker has written at least one death.
        if let death = BrokerDeath(headers) {
            isByBroker = true
            generation = 1
            rejection = Self.rejection(publishers.original(delivery), death)
        } else {
            isByBroker = false
            generation = headers["x-dispatcher-generation"]?.intValue.map { Int(clamping: $0) } ?? 1
            rejection = Self.rejection(delivery, headers)
        }
        fingerprint = rejection.fingerprint
    }

    private static func rejection(_ delivery: AMQPDelivery, _ death: BrokerDeath) -> Rejection {
        let original = AMQPDelivery(
            tag: delivery.tag,
            body: delivery.body,
            routingKey: death.origin?.routingKey ?? delivery.routingKey,
            exchange: death.origin?.exchange ?? delivery.exchange,
            isRedelivered: false,
            properties: delivery.properties
        )
        return Rejection(original, queue: death.queue, reason: brokerReason, detail: death.detail)
    }

    private static func rejection(_ delivery: AMQPDelivery, _ headers: [String: AMQPValue]) -> Rejection {
        let queue = headers["x-dispatcher-queue"]?.stringValue ?? "push.dead"
        let origin = MessageOrigin(queue: queue, routingKey: delivery.routingKey)
        let path = headers["x-dispatcher-path"]?.stringValue
        let offset = headers["x-dispatcher-offset"]?.intValue
        var properties = delivery.properties
        properties.headers = [:]
        properties.userID = headers[PublisherCheck.header]?.stringValue
        let original = AMQPDelivery(
            tag: delivery.tag,
            body: delivery.body,
            routingKey: origin?.routingKey ?? delivery.routingKey,
            exchange: origin?.exchange ?? delivery.exchange,
            isRedelivered: false,
            properties: properties
        )
        var fingerprint: [UInt8]?
        if case .bytes(let kept)? = headers[DeadLetterCarrier.fingerprintHeader], kept.count == 32 {
            fingerprint = kept
        }
        return Rejection(
            original,
            queue: queue,
            reason: headers["x-dispatcher-reason"]?.stringValue ?? "unknown",
            path: path == "" ? nil : path,
            offset: offset.flatMap { $0 < 0 ? nil : Int(clamping: $0) },
            detail: headers["x-dispatcher-detail"]?.stringValue ?? "published to push.dead without a reason",
            fingerprint: fingerprint
        )
    }

    /// The same message once more, for the end of the queue.
    var copy: AMQPMessage {
        DeadLetterOffice.message(rejection, routingKey: delivery.routingKey, generation: generation)
    }
}
