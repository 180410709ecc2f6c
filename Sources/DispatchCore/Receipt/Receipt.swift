/// What a device reports about one notification: a fact that is added to what is known and overwrites nothing.
public struct Receipt: Hashable, Sendable {
    /// The reporter's own id of it: a receipt that is reported again has the same one and counts once.
    public let id: String

    /// The name of the hub.
    public let hub: String

    /// The notification it is about.
    public let notification: NotificationReference

    /// The installation that reports it.
    public let installationID: String

    /// What happened.
    public let kind: ReceiptKind

    /// The button, for `action` and `reply`.
    public let actionID: String?

    /// What the user wrote, for `reply`.
    public let text: String?

    /// What became of the notification, for `action` and `reply`.
    public let response: ResponseOption?

    /// When it happened by the device's own clock.
    public let at: Timestamp

    /// Takes checked values.
    public init(
        id: String,
        hub: String = SendJob.defaultHub,
        notification: NotificationReference,
        installationID: String,
        kind: ReceiptKind,
        actionID: String? = nil,
        text: String? = nil,
        response: ResponseOption? = nil,
        at: Timestamp
    ) {
        self.id = id
        self.hub = hub
        self.notification = notification
        self.installationID = installationID
        self.kind = kind
        self.actionID = actionID
        self.text = text
        self.response = response
        self.at = at
    }
}
