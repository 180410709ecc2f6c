/// What is shown and handed to the app, in words that every platform has a form for.
///
/// What a platform cannot express is left out there, by the rules of docs/job-format.md.
public struct Content: Hashable, Sendable {
    /// The first line.
    public var title: LocalizableText?

    /// The line below it.
    public var subtitle: LocalizableText?

    /// The text.
    public var body: LocalizableText?

    /// Other languages' texts, at most one a language tag.
    public var localizations: [ContentLocalization] = []

    /// The number at the app's icon.
    public var badge: Badge?

    /// What is played.
    public var sound: Sound?

    /// The id of the declared category whose buttons are offered.
    public var category: String?

    /// The buttons of this notification alone, in place of its category's; empty means the category's.
    public var actions: [CategoryAction] = []

    /// Notifications of one thread are shown together.
    public var thread: String?

    /// What this one adds to the line that stands for several of a thread.
    public var summary: Summary?

    /// How far it may interrupt the user.
    public var interruptionLevel: InterruptionLevel?

    /// How much it matters among the app's others, 0 to 1.
    public var relevance: JSONNumber?

    /// A picture, sound or film that is fetched and shown with it.
    public var attachment: Attachment?

    /// Content the app fetches by its id.
    public var rich: RichContent?

    /// Where opening it leads.
    public var link: String?

    /// The window or document of the app that is brought forward.
    public var targetContentID: String?

    /// Custom members that the app finds beside the platform's own, in their order; never one named `aps`.
    public var data: [JSONMember] = []

    /// What only Apple's platforms know.
    public var apns: APNsContent?

    /// What only Android's notifications know.
    public var fcmV1: FCMContent?

    /// What only the browser's notifications know.
    public var browser: BrowserContent?

    /// What only Windows' toasts know.
    public var wns: WNSContent?

    /// What only Huawei's notifications know.
    public var hms: HMSContent?

    /// A step in the life of a Live Activity; title, body and sound are then its alert.
    public var liveActivity: LiveActivity?

    /// Takes checked values; the rest is set member by member.
    public init(
        title: LocalizableText? = nil,
        subtitle: LocalizableText? = nil,
        body: LocalizableText? = nil,
        badge: Badge? = nil,
        sound: Sound? = nil,
        category: String? = nil,
        thread: String? = nil,
        data: [JSONMember] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.badge = badge
        self.sound = sound
        self.category = category
        self.thread = thread
        self.data = data
    }

    /// Whether any text is shown.
    public var hasText: Bool { title != nil || subtitle != nil || body != nil }

    /// Whether nothing is shown, counted or played: the app is only woken.
    public var isSilent: Bool { !hasText && badge == nil && (sound == nil || sound == .silent) }
}
