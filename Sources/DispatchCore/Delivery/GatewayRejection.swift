/// A gateway's refusal of one push.
public struct GatewayRejection: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int

    /// The gateway's own word for it, empty when it gave none.
    ///
    /// FCM's word is the `errorCode` of its `FcmError`, else the `status` of the error; two cases that FCM tells apart
    /// by text only are spelled `INVALID_ARGUMENT(token)` and `INVALID_ARGUMENT(size)`.
    public let reason: String

    /// How long the gateway asks to wait.
    public let retryAfter: Duration?

    /// Since when the push channel has been invalid (APNs 410).
    public let invalidSince: Timestamp?

    /// Describes one refusal.
    public init(status: Int, reason: String, retryAfter: Duration? = nil, invalidSince: Timestamp? = nil) {
        self.status = status
        self.reason = reason
        self.retryAfter = retryAfter
        self.invalidSince = invalidSince
    }
}
