/// One push to one device: what a gateway is asked to send.
public struct PushRequest: Sendable {
    /// What all devices of this notification and platform share.
    public let push: PreparedPush

    /// The job's id, known outside.
    public let notification: UUIDValue

    /// The hub's own number of the notification.
    public let number: NotificationID

    /// The hub's own number of the device.
    public let installation: InstallationKey

    /// The id the app registered the device under.
    public let installationID: String

    /// The push channel: device token or endpoint.
    public let channel: String

    /// The app the device runs (`apns-topic`), when the registration names one.
    public let topic: String?

    /// Which attempt this is, counted from 1.
    public let attempt: Int

    /// The same for every attempt of this notification at this device.
    public let messageID: UUIDValue

    /// Addresses a prepared push to one device; the message id follows from notification and installation.
    public init(
        push: PreparedPush,
        notification: UUIDValue,
        number: NotificationID,
        installation: InstallationKey,
        installationID: String,
        channel: String,
        topic: String? = nil,
        attempt: Int
    ) {
        self.push = push
        self.notification = notification
        self.number = number
        self.installation = installation
        self.installationID = installationID
        self.channel = channel
        self.topic = topic
        self.attempt = attempt
        messageID = Self.messageID(notification: number, installation: installation)
    }

    /// The header fields of this request: the shared ones, and those that depend on device or moment.
    public func headers(now: Timestamp) -> [PushHeader] {
        switch push.platform {
        case .apns: apnsHeaders
        case .browser: webPushHeaders(now: now)
        case .wns: wnsHeaders(now: now)
        case .fcmV1, .adm, .hms: push.headers
        }
    }

    /// Apple, "Sending notification requests to APNs": topic, id in lower case, expiry in seconds of the epoch.
    private var apnsHeaders: [PushHeader] {
        var headers: [PushHeader] = []
        headers.reserveCapacity(push.headers.count + 3)
        headers += push.headers
        if let topic { headers.append(PushHeader("apns-topic", topic + push.topicSuffix)) }
        headers.append(PushHeader("apns-id", messageID.description))
        if let apnsExpiration { headers.append(PushHeader("apns-expiration", apnsExpiration)) }
        return headers
    }

    /// 0 tells Apple to try once and keep nothing.
    private var apnsExpiration: String? {
        push.isNowOrNever ? "0" : push.expiresAt.map { String(max($0.seconds, 0)) }
    }

    /// The message id of a notification at a device: a UUIDv8 (RFC 9562, section 5.8), the same for every attempt.
    ///
    /// It holds the low 60 bits of the notification's number and the low 62 of the installation's, so two different
    /// pairs of stored numbers never share one.
    public static func messageID(notification: NotificationID, installation: InstallationKey) -> UUIDValue {
        let first = UInt64(bitPattern: notification.rawValue)
        let second = UInt64(bitPattern: installation.rawValue)
        let version: UInt64 = 0x8000
        let variant: UInt64 = 0x8000_0000_0000_0000
        return UUIDValue(
            high: (first >> 12) << 16 | version | first & 0xFFF,
            low: variant | second & 0x3FFF_FFFF_FFFF_FFFF
        )
    }
}
