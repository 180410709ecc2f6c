/// What happened to one notification on one device, told to other services; it never holds a push channel.
public struct NotificationEvent: Hashable, Sendable {
    /// The event's own id: told again it has the same one, so that a listener can count it once.
    public let id: String

    /// The name of the hub.
    public let hub: String

    /// What happened.
    public let kind: EventKind

    /// The id of the job.
    public let notificationID: UUIDValue

    /// The installation it happened on.
    public let installationID: String

    /// The user of the installation, if any.
    public let userID: String?

    /// The gateway of the installation, when it is known.
    public let platform: Platform?

    /// Why, in the word of the hub or the gateway, for `failed`, `suppressed` and `retired`.
    public let reason: String?

    /// How often it was tried, for the ends of a delivery.
    public let attempts: Int?

    /// The button, for `action` and `reply`.
    public let actionID: String?

    /// What the user wrote, for `reply`.
    public let text: String?

    /// What became of the notification, for `action` and `reply`.
    public let response: ResponseOption?

    /// When it happened by the device's own clock, for what a device reports.
    public let at: Timestamp?

    /// When the hub recorded it.
    public let time: Timestamp

    /// Takes checked values.
    public init(
        id: String,
        hub: String = SendJob.defaultHub,
        kind: EventKind,
        notificationID: UUIDValue,
        installationID: String,
        userID: String? = nil,
        platform: Platform? = nil,
        reason: String? = nil,
        attempts: Int? = nil,
        actionID: String? = nil,
        text: String? = nil,
        response: ResponseOption? = nil,
        at: Timestamp? = nil,
        time: Timestamp
    ) {
        self.id = id
        self.hub = hub
        self.kind = kind
        self.notificationID = notificationID
        self.installationID = installationID
        self.userID = userID
        self.platform = platform
        self.reason = reason
        self.attempts = attempts
        self.actionID = actionID
        self.text = text
        self.response = response
        self.at = at
        self.time = time
    }

    /// Tells of a receipt, once the notification and the installation it names have been found.
    public init(
        id: String,
        receipt: Receipt,
        notificationID: UUIDValue,
        userID: String? = nil,
        platform: Platform? = nil,
        time: Timestamp
    ) {
        self.init(
            id: id,
            hub: receipt.hub,
            kind: EventKind(receipt.kind),
            notificationID: notificationID,
            installationID: receipt.installationID,
            userID: userID,
            platform: platform,
            actionID: receipt.actionID,
            text: receipt.text,
            response: receipt.response,
            at: receipt.at,
            time: time
        )
    }
}
