/// A gateway's refusal of one push.
public struct GatewayRejection: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int

    /// The gateway's own word for it, empty when it gave none.
    ///
    /// | platform | its word |
    /// |---|---|
    /// | apns | `reason` |
    /// | fcmV1 | the `errorCode` of `FcmError`, else the `status` of the error; two cases that FCM tells apart by text only are `INVALID_ARGUMENT(token)` and `INVALID_ARGUMENT(size)` |
    /// | browser | Apple: `reason`; Mozilla: `errno 109` and the like; WNS endpoints: as for wns; others: none |
    /// | wns | `X-WNS-Status`; `domain blocked` where the description of a 410 says so |
    /// | adm | `reason` |
    /// | hms | the business `code`, such as `80300007`, also with status 200 |
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
