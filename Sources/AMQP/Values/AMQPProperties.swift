/// The properties of a message (class "basic" of AMQP 0-9-1).
public struct AMQPProperties: Sendable, Hashable {
    /// MIME type of the body.
    public var contentType: String?
    /// Coding of the body, such as `gzip`.
    public var contentEncoding: String?
    /// The publisher's name for the message.
    public var messageID: String?
    /// What the message answers.
    public var correlationID: String?
    /// The login that published it; the broker refuses any other value.
    public var userID: String?
    /// The publishing application.
    public var appID: String?
    /// The publisher's name for the kind of message.
    public var type: String?
    /// Where an answer should go.
    public var replyTo: String?
    /// Milliseconds to live, as decimal text.
    public var expiration: String?
    /// Priority, 0 to 255.
    public var priority: UInt8?
    /// Seconds since 1970-01-01 UTC.
    public var timestamp: Int64?
    /// Application headers and those the broker adds (`x-delivery-count`, `x-death`).
    public var headers: [String: AMQPValue]

    /// Makes properties; everything not named is absent.
    public init(
        contentType: String? = nil,
        contentEncoding: String? = nil,
        messageID: String? = nil,
        correlationID: String? = nil,
        userID: String? = nil,
        appID: String? = nil,
        type: String? = nil,
        replyTo: String? = nil,
        expiration: String? = nil,
        priority: UInt8? = nil,
        timestamp: Int64? = nil,
        headers: [String: AMQPValue] = [:]
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.messageID = messageID
        self.correlationID = correlationID
        self.userID = userID
        self.appID = appID
        self.type = type
        self.replyTo = replyTo
        self.expiration = expiration
        self.priority = priority
        self.timestamp = timestamp
        self.headers = headers
    }
}
