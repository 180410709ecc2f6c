/// What a content is rendered with besides itself.
public struct RenderContext: Sendable {
    /// How it is to be treated on its way.
    public var options: PushOptions

    /// The moment of dispatch, from which times to live count.
    public var now: Timestamp

    /// How many notifications the user has not read, in place of the badge `unread`; nil when it is not known.
    public var unread: Int?

    /// The device's language, by which a localization is chosen.
    public var locale: String?

    /// The declared category that the content names, where buttons are part of the payload.
    public var category: ActionCategory?

    /// The hub's number of the notification, which is the id of rich content without one.
    public var number: NotificationID?

    /// Where the notification's own content is fetched without further credentials; nil when it cannot be.
    public var contentURL: String?

    /// Takes the parts.
    public init(
        options: PushOptions,
        now: Timestamp,
        unread: Int? = nil,
        locale: String? = nil,
        category: ActionCategory? = nil,
        number: NotificationID? = nil,
        contentURL: String? = nil
    ) {
        self.options = options
        self.now = now
        self.unread = unread
        self.locale = locale
        self.category = category
        self.number = number
        self.contentURL = contentURL
    }

    /// The time left in whole seconds, rounded down so that no device gets the push after its expiry.
    ///
    /// It is 0 for a push that is sent now or never, and never negative nor above `longest`; nil when the push never
    /// becomes worthless.
    func secondsLeft(atMost longest: Int64) -> Int64? {
        guard !options.isNowOrNever else { return 0 }
        return options.expiresAt.map { min(max(($0 - now).microseconds / 1_000_000, 0), longest) }
    }
}
