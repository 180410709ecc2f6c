/// What is played.
public enum Sound: Hashable, Sendable {
    /// Nothing, even where the platform plays something of its own accord.
    case silent

    /// The platform's own sound, named `default`, or a file of the app.
    case named(String)

    /// Apple's critical alert: played in spite of mute switch and Focus, at `volume` from 0 to 1.
    case critical(name: String, volume: JSONNumber?)

    /// The platform's own sound.
    public static let standard = Sound.named(standardName)

    /// Reads the short form: a file's name, `default` or `none`.
    public init(name: String) {
        self = name == "none" ? .silent : .named(name)
    }

    /// What is played, or nil for nothing.
    public var name: String? {
        switch self {
        case .silent: nil
        case .named(let name), .critical(let name, _): name
        }
    }

    /// Whether it is the platform's own sound.
    public var isStandard: Bool { name == Self.standardName }

    private static let standardName = "default"
}

extension Sound {
    init(decoding value: JSONValue) throws(JobError) {
        guard case .object = value else {
            self.init(name: try value.text(upTo: JobLimits.nameBytes))
            return
        }
        try value.checkNotEmpty()
        var name = Self.standardName
        var isCritical = false
        var volume: JSONNumber?
        try value.forEachMember { (member, value) throws(JobError) in
            switch member {
            case "name": name = try value.text(upTo: JobLimits.nameBytes)
            case "critical": isCritical = try value.boolean()
            case "volume": volume = try value.number(from: 0, to: 1)
            default: throw JobError.unknownMember
            }
        }
        guard isCritical || volume == nil else {
            throw JobError(.conflictingMembers, reason: "Only a critical sound has a volume.").under("volume")
        }
        self = isCritical ? .critical(name: name, volume: volume) : Sound(name: name)
    }
}
