/// What Windows is told about a push (Microsoft, "Push notification service request and response headers").
public struct WNSOptions: Hashable, Sendable {
    /// The kinds of push; `X-WNS-Type` is `wns/` and the raw value.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A message on the screen.
        case toast

        /// The app's tile.
        case tile

        /// The number or glyph at the app's icon.
        case badge

        /// Bytes for the app's own code.
        case raw
    }

    /// Whether it is kept for a device that cannot be reached; the raw value is `X-WNS-Cache-Policy`.
    public enum CachePolicy: String, CaseIterable, Hashable, Sendable {
        /// Kept.
        case cache

        /// Not kept.
        case noCache = "no-cache"
    }

    /// The kind; nil follows from the content.
    public var kind: Kind?

    /// Whether it is kept; nil leaves it to Windows, or follows from an expiry that is now.
    public var cachePolicy: CachePolicy?

    /// `X-WNS-Group`: notifications of one group are taken away together.
    public var group: String?

    /// Makes options that follow from the content.
    public init(kind: Kind? = nil, cachePolicy: CachePolicy? = nil, group: String? = nil) {
        self.kind = kind
        self.cachePolicy = cachePolicy
        self.group = group
    }

    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "type": kind = try value.spelling(of: Kind.self)
            case "cachePolicy": cachePolicy = try value.spelling(of: CachePolicy.self)
            case "group": group = try Self.group(value)
            default: throw JobError.unknownMember
            }
        }
    }

    private static func group(_ value: JSONValue) throws(JobError) -> String {
        try value.text(upTo: 16, form: "1 to 16 ASCII letters and digits") {
            $0.utf8.allSatisfy(NameForms.isLetterOrDigit)
        }
    }
}
