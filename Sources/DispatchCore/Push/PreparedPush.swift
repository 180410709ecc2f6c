/// Everything of a push that does not depend on the device: rendered once per notification and platform, shared by all
/// its requests.
///
/// Prepare it at the moment its batch starts, not earlier: FCM's time to live is relative and stands inside the body.
public final class PreparedPush: Sendable {
    /// Whose payload format the body has.
    public let platform: Platform

    /// The body up to the place of the push channel, or all of it.
    public let bodyHead: [UInt8]

    /// The body after the push channel; empty when the body does not hold it.
    public let bodyTail: [UInt8]

    /// Whether the push channel stands, as the inside of a JSON string, between head and tail.
    public let embedsChannel: Bool

    /// `apns-push-type`, or nil on other platforms.
    public let pushType: String?

    /// `apns-priority`, or nil where the priority is part of the body.
    public let priority: String?

    /// `apns-collapse-id`, at most 64 bytes, or nil where it is part of the body.
    public let collapseID: String?

    /// When the push becomes worthless: headers that carry it are computed from this at the moment of dispatch.
    public let expiresAt: Timestamp?

    /// Takes a body that was rendered before.
    public init(
        platform: Platform,
        bodyHead: [UInt8],
        bodyTail: [UInt8] = [],
        embedsChannel: Bool = false,
        pushType: String? = nil,
        priority: String? = nil,
        collapseID: String? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.platform = platform
        self.bodyHead = bodyHead
        self.bodyTail = bodyTail
        self.embedsChannel = embedsChannel
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
        self.expiresAt = expiresAt
    }

    /// The size a gateway's limit applies to, in bytes; the push channel does not count.
    public var size: Int { bodyHead.count + bodyTail.count }

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
