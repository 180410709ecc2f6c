/// How a push is to be treated on its way to the device.
public struct PushOptions: Hashable, Sendable {
    /// What the app knows the notification by: the id of the job or of the one it replaces.
    ///
    /// It stands in for a collapse key, so that a push sent twice is shown once, and a replacement takes its place.
    public var notification: UUIDValue

    /// Whether it takes the place of another notification, so that its tag names one that is shown.
    public var isReplacement = false

    /// How much of a device's battery may be spent on the push.
    public var priority: SendPriority

    /// When the push becomes worthless, or nil for as long as the gateway keeps it.
    public var expiresAt: Timestamp?

    /// Whether the gateway shall try once and keep nothing: the job's time to live is 0.
    public var isNowOrNever = false

    /// Pushes with the same key replace each other on the device.
    public var collapseKey: String?

    /// What happens to a payload over the platform's limit.
    public var oversize = Oversize.refuse

    /// What each platform alone is told.
    public var platforms = PlatformOptions()

    /// Makes options.
    public init(
        notification: UUIDValue,
        priority: SendPriority = .normal,
        expiresAt: Timestamp? = nil,
        collapseKey: String? = nil
    ) {
        self.notification = notification
        self.priority = priority
        self.expiresAt = expiresAt
        self.collapseKey = collapseKey
    }

    /// Takes the options of the job `notification`, whose expiry the hub has worked out.
    public init(notification: UUIDValue, options: SendOptions, expiresAt: Timestamp?) {
        self.init(
            notification: options.replaces ?? notification,
            priority: options.priority,
            expiresAt: expiresAt,
            collapseKey: options.collapseKey
        )
        isReplacement = options.replaces != nil
        isNowOrNever = options.isNowOrNever
        oversize = options.oversize
        platforms = options.platforms
    }
}
