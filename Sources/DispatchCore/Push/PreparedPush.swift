/// Everything of a push that does not depend on the device: rendered once per notification, platform and language,
/// shared by all its requests.
///
/// Prepare it at the moment its batch starts, not earlier: some platforms' time to live is relative and stands inside
/// the body.
public final class PreparedPush: Sendable {
    /// Whose payload format the body has.
    public let platform: Platform

    /// The body up to the place of the push channel, or all of it.
    public let bodyHead: [UInt8]

    /// The body after the push channel; empty when the body does not hold it.
    public let bodyTail: [UInt8]

    /// Whether the push channel stands, as the inside of a JSON string, between head and tail.
    public let embedsChannel: Bool

    /// The header fields that are the same for every device at every moment.
    public let headers: [PushHeader]

    /// What follows the app's id in `apns-topic`, by the push type; empty on other platforms.
    public let topicSuffix: String

    /// When the push becomes worthless: headers that carry it are computed from this at the moment of dispatch.
    public let expiresAt: Timestamp?

    /// Whether the gateway shall try once and keep nothing, whatever time is left.
    public let isNowOrNever: Bool

    /// Takes a body that was rendered before.
    public init(
        platform: Platform,
        bodyHead: [UInt8],
        bodyTail: [UInt8] = [],
        embedsChannel: Bool = false,
        headers: [PushHeader] = [],
        topicSuffix: String = "",
        expiresAt: Timestamp? = nil,
        isNowOrNever: Bool = false
    ) {
        self.platform = platform
        self.bodyHead = bodyHead
        self.bodyTail = bodyTail
        self.embedsChannel = embedsChannel
        self.headers = headers
        self.topicSuffix = topicSuffix
        self.expiresAt = expiresAt
        self.isNowOrNever = isNowOrNever
    }

    /// The size a gateway's limit applies to, in bytes; the push channel does not count.
    public var size: Int { bodyHead.count + bodyTail.count }

    /// The value of the shared header field `name`, spelled as the platform writes it.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The request body for one device.
    public func body(channel: String) -> [UInt8] {
        guard embedsChannel else { return bodyTail.isEmpty ? bodyHead : bodyHead + bodyTail }
        var body: [UInt8] = []
        body.reserveCapacity(size + channel.utf8.count + 8)
        body += bodyHead
        JSONWriter.escaped(channel, into: &body)
        body += bodyTail
        return body
    }
}

extension PreparedPush {
    /// A push of a body within its platform's limit; with a `tail` the channel stands before that.
    static func fitting(
        _ head: [UInt8],
        _ tail: [UInt8]? = nil,
        platform: Platform,
        headers: [PushHeader],
        options: PushOptions
    ) throws(RenderError) -> PreparedPush {
        let size = head.count + (tail?.count ?? 0)
        let limit = platform.payloadLimit
        guard size <= limit else { throw .tooLarge(size, limit: limit, platform: platform) }
        return PreparedPush(
            platform: platform,
            bodyHead: head,
            bodyTail: tail ?? [],
            embedsChannel: tail != nil,
            headers: headers,
            expiresAt: options.expiresAt,
            isNowOrNever: options.isNowOrNever
        )
    }
}
