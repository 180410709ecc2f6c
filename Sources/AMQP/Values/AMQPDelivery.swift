/// One message handed to a consumer, copied out of the C library.
public struct AMQPDelivery: Sendable {
    /// What to acknowledge or reject.
    public let tag: DeliveryTag
    /// The octets the publisher sent.
    public let body: [UInt8]
    /// The routing key it was published with.
    public let routingKey: String
    /// The exchange it was published to; empty for the default exchange.
    public let exchange: String
    /// Whether the broker may have handed it out before.
    public let isRedelivered: Bool
    /// Properties and headers.
    public let properties: AMQPProperties

    /// Makes a delivery, which only tests and the client itself need.
    public init(
        tag: DeliveryTag,
        body: [UInt8],
        routingKey: String,
        exchange: String,
        isRedelivered: Bool,
        properties: AMQPProperties
    ) {
        self.tag = tag
        self.body = body
        self.routingKey = routingKey
        self.exchange = exchange
        self.isRedelivered = isRedelivered
        self.properties = properties
    }

    /// How often the message came back to a quorum queue (`x-delivery-count`), 0 when the header is absent.
    public var deliveryCount: Int {
        guard let count = properties.headers["x-delivery-count"]?.intValue else { return 0 }
        return Int(clamping: count)
    }
}
