/// What is shown and handed to the app, in words that every platform has a form for.
public struct Content: Hashable, Sendable {
    /// The first line.
    public let title: String?

    /// The line below it.
    public let subtitle: String?

    /// The text.
    public let body: String?

    /// The number at the app's icon.
    public let badge: Badge?

    /// What is played.
    public let sound: Sound?

    /// The id of the declared category whose buttons are offered.
    public let category: String?

    /// Notifications of one thread are shown together.
    public let thread: String?

    /// Custom members that the app finds beside the platform's own, in their order; never one named `aps`.
    public let data: [JSONMember]

    /// Takes checked values.
    public init(
        title: String? = nil,
        subtitle: String? = nil,
        body: String? = nil,
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

    /// Whether nothing is shown, counted or played: the app is only woken.
    public var isSilent: Bool { title == nil && subtitle == nil && body == nil && badge == nil && sound == nil }
}

extension Content {
    init(decoding value: JSONValue) throws(JobError) {
        var texts: (title: String?, subtitle: String?, body: String?)
        var names: (category: String?, thread: String?)
        var badge: Badge?
        var sound: Sound?
        var data: [JSONMember] = []
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "title": texts.title = try value.text(upTo: JobLimits.textBytes)
            case "subtitle": texts.subtitle = try value.text(upTo: JobLimits.textBytes)
            case "body": texts.body = try value.text(upTo: JobLimits.textBytes)
            case "badge": badge = try Badge(decoding: value)
            case "sound": sound = Sound(name: try value.text(upTo: JobLimits.nameBytes))
            case "category": names.category = try value.text(upTo: JobLimits.nameBytes)
            case "thread": names.thread = try value.text(upTo: JobLimits.nameBytes)
            case "data": data = try Self.data(value)
            default: throw JobError.unknownMember
            }
        }
        self.init(
            title: texts.title,
            subtitle: texts.subtitle,
            body: texts.body,
            badge: badge,
            sound: sound,
            category: names.category,
            thread: names.thread,
            data: data
        )
        guard !isSilent || !data.isEmpty else {
            throw JobError(
                .missingMember,
                reason: "At least one of title, subtitle, body, badge, sound and data is needed."
            )
        }
    }

    private static func data(_ value: JSONValue) throws(JobError) -> [JSONMember] {
        guard case .object(let members) = value else { throw value.wrongType(expected: "an object") }
        guard !members.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
        guard !members.contains(where: { $0.name == "aps" }) else {
            throw JobError(.reservedMember, reason: "The member “aps” is Apple's; use native to write it.").under("aps")
        }
        return members
    }
}
