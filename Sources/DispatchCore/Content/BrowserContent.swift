/// The parts of a content that only the browser's notifications know (WHATWG, "Notifications API", NotificationOptions).
public struct BrowserContent: Hashable, Sendable {
    /// Which way the texts run.
    public enum Direction: String, CaseIterable, Hashable, Sendable {
        /// As the browser's language.
        case auto

        /// From left to right.
        case ltr

        /// From right to left.
        case rtl
    }

    /// The name by which a shown notification is replaced, in place of the collapse key.
    public var tag: String?

    /// Whether one that replaces another alerts again.
    public var renotifies: Bool?

    /// Whether it stays until the user acts.
    public var requiresInteraction: Bool?

    /// Whether it makes no sound and does not vibrate.
    public var isSilent: Bool?

    /// Milliseconds of vibration and rest in turn.
    public var vibration: [Int] = []

    /// The instant it is about.
    public var timestamp: Timestamp?

    /// Which way the texts run.
    public var direction: Direction?

    /// The language of the texts, in the form of BCP 47.
    public var language: String?

    /// A picture's address, in place of the attachment's.
    public var image: String?

    /// The address of the picture beside the texts.
    public var icon: String?

    /// The address of the small picture that stands for it where there is little room.
    public var badge: String?

    /// Makes one without any.
    public init() {}
}

extension BrowserContent {
    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            try read(name, value)
        }
        guard renotifies != true || isSilent != true else {
            throw JobError(
                .conflictingMembers,
                reason: "A browser refuses renotify together with silent (Notifications API, section 2.7)."
            ).under("renotify")
        }
        guard isSilent != true || vibration.isEmpty else {
            throw JobError(
                .conflictingMembers,
                reason: "A browser refuses vibrate together with silent (Notifications API, section 2.7)."
            ).under("vibrate")
        }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "tag": tag = try value.text(upTo: JobLimits.nameBytes)
        case "renotify": renotifies = try value.boolean()
        case "requireInteraction": requiresInteraction = try value.boolean()
        case "silent": isSilent = try value.boolean()
        case "vibrate": vibration = try Self.vibration(value)
        case "timestamp": timestamp = try value.timestamp()
        case "dir": direction = try value.spelling(of: Direction.self)
        case "lang": language = try value.languageTag()
        case "image": image = try value.secureURL()
        case "icon": icon = try value.url()
        case "badge": badge = try value.url()
        default: throw JobError.unknownMember
        }
    }

    private static func vibration(_ value: JSONValue) throws(JobError) -> [Int] {
        let pattern = try value.list(limit: JobLimits.vibrations) { (element) throws(JobError) in
            Int(try element.integer(in: JobLimits.vibrationMilliseconds))
        }
        guard !pattern.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
        return pattern
    }
}
