/// One app on one device, as the app registers it.
public struct Installation: Hashable, Sendable {
    /// The id the app chose; registering it again replaces it.
    public let id: String

    /// The name of its hub.
    public let hub: String

    /// The user signed in, if any.
    public let userID: String?

    /// The gateway it is reached through.
    public let platform: Platform

    /// The gateway's address of it: text, or for `browser` the canonical JSON of endpoint, p256dh and auth.
    public let pushChannel: String

    /// Which of Apple's servers knows the token; production on other platforms.
    public let environment: APNsEnvironment

    /// The app's topic, when it is not the hub's.
    public let topic: String?

    /// Its tags, each once.
    public let tags: [Tag]

    /// Its templates by name, an object of objects, or nil.
    public let templates: JSONValue?

    /// Its language, in the form of BCP 47.
    public let locale: String?

    /// Its time zone, in the form of the IANA database.
    public let timeZone: String?

    /// What its user allows.
    public let permission: Permission

    /// After this instant it is not sent to.
    public let expirationTime: Timestamp?

    /// Takes checked values.
    public init(
        id: String,
        hub: String = SendJob.defaultHub,
        userID: String? = nil,
        platform: Platform,
        pushChannel: String,
        environment: APNsEnvironment = .production,
        topic: String? = nil,
        tags: [Tag] = [],
        templates: JSONValue? = nil,
        locale: String? = nil,
        timeZone: String? = nil,
        permission: Permission = .notDetermined,
        expirationTime: Timestamp? = nil
    ) {
        self.id = id
        self.hub = hub
        self.userID = userID
        self.platform = platform
        self.pushChannel = pushChannel
        self.environment = environment
        self.topic = topic
        self.tags = tags
        self.templates = templates
        self.locale = locale
        self.timeZone = timeZone
        self.permission = permission
        self.expirationTime = expirationTime
    }
}
