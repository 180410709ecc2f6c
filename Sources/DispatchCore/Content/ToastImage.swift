/// A picture in a Windows toast.
public struct ToastImage: Hashable, Sendable {
    /// Where it stands.
    public enum Placement: String, CaseIterable, Hashable, Sendable {
        /// Across the top.
        case hero

        /// In place of the app's own picture.
        case appLogoOverride

        /// Below the texts.
        case inline
    }

    /// Its address.
    public let source: String

    /// Where it stands.
    public let placement: Placement

    /// Whether it is cut to a circle.
    public let isCircle: Bool

    /// What it shows, for those who do not see it.
    public let alternative: String?

    /// Takes checked values.
    public init(
        source: String,
        placement: Placement = .inline,
        isCircle: Bool = false,
        alternative: String? = nil
    ) {
        self.source = source
        self.placement = placement
        self.isCircle = isCircle
        self.alternative = alternative
    }

    init(decoding value: JSONValue) throws(JobError) {
        var source: String?
        var placement = Placement.inline
        var isCircle = false
        var alternative: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "src": source = try value.url()
            case "placement": placement = try value.spelling(of: Placement.self)
            case "crop": isCircle = try value.choice(["circle": true])
            case "alt": alternative = try value.text(upTo: JobLimits.nameBytes)
            default: throw JobError.unknownMember
            }
        }
        guard let source else { throw JobError.missing("src") }
        self.init(source: source, placement: placement, isCircle: isCircle, alternative: alternative)
    }
}
