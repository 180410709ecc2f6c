/// A message to publish; always persistent.
public struct AMQPMessage: Sendable, Hashable {
    /// The exchange; empty for the default exchange, which routes to the queue named by the routing key.
    public var exchange: String
    /// The routing key.
    public var routingKey: String
    /// The octets to send.
    public var body: [UInt8]
    /// Properties and headers.
    public var properties: AMQPProperties
    /// Whether the broker hands it back when no queue takes it; otherwise it is confirmed and gone.
    public var isMandatory: Bool

    /// Makes a message for an exchange.
    public init(
        exchange: String = "",
        routingKey: String,
        body: [UInt8],
        properties: AMQPProperties = AMQPProperties(),
        isMandatory: Bool = true
    ) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.body = body
        self.properties = properties
        self.isMandatory = isMandatory
    }
}
