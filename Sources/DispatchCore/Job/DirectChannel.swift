/// A device addressed by its gateway's own address instead of a registration.
public struct DirectChannel: Sendable {
    /// The gateway.
    public let platform: Platform

    /// The address as an installation keeps it: text, or for `browser` the canonical JSON of endpoint, p256dh and auth.
    public let token: String

    /// Which of Apple's servers knows the token; production on other platforms.
    public let environment: APNsEnvironment

    /// The app's topic, when it is not the hub's.
    public let topic: String?

    /// Takes checked values.
    public init(
        platform: Platform,
        token: String,
        environment: APNsEnvironment = .production,
        topic: String? = nil
    ) {
        self.platform = platform
        self.token = token
        self.environment = environment
        self.topic = topic
    }

    init(decoding value: JSONValue) throws(JobError) {
        var platform: Platform?
        var token: JSONValue?
        var environment: APNsEnvironment?
        var topic: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "platform": platform = try value.platform()
            case "token": token = value
            case "environment": environment = try APNsEnvironment(decoding: value)
            case "topic": topic = try value.topic()
            default: throw JobError.unknownMember
            }
        }
        guard let platform else { throw JobError.missing("platform") }
        guard let token else { throw JobError.missing("token") }
        try APNsEnvironment.check(environment, on: platform)
        self.init(
            platform: platform,
            token: try PushChannel.text(of: token, named: "token", platform: platform),
            environment: environment ?? .production,
            topic: topic
        )
    }
}

extension DirectChannel: Hashable {
    /// Compares by bytes.
    public static func == (left: DirectChannel, right: DirectChannel) -> Bool {
        left.platform == right.platform && left.token.hasSameBytes(as: right.token)
            && left.environment == right.environment && left.topic.map(UTF8Text.init) == right.topic.map(UTF8Text.init)
    }

    /// Feeds platform and address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(platform)
        hasher.combine(UTF8Text(token))
    }
}
