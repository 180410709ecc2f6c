/// What the app's content extension for a category is built like, for apps that set themselves up from the hub.
///
/// Source: Apple, “UNNotificationContentExtension” and the keys of its Info.plist.
public struct ContentExtensionHints: Hashable, Sendable {
    /// Whether the system's own texts are left away below the extension's view.
    public let defaultContentHidden: Bool

    /// The height of the view as a share of its width before it has measured itself; above 0, at most 10.
    public let initialContentSizeRatio: JSONNumber?

    /// The play and pause button over the view.
    public let mediaPlayPauseButton: MediaPlayPauseButton

    /// Takes checked values.
    public init(
        defaultContentHidden: Bool = false,
        initialContentSizeRatio: JSONNumber? = nil,
        mediaPlayPauseButton: MediaPlayPauseButton = .absent
    ) {
        self.defaultContentHidden = defaultContentHidden
        self.initialContentSizeRatio = initialContentSizeRatio
        self.mediaPlayPauseButton = mediaPlayPauseButton
    }
}

extension ContentExtensionHints {
    init(decoding value: JSONValue) throws(JobError) {
        var defaultContentHidden = false
        var ratio: JSONNumber?
        var button: MediaPlayPauseButton?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "defaultContentHidden": defaultContentHidden = try Self.flag(value)
            case "initialContentSizeRatio": ratio = try Self.ratio(value)
            case "mediaPlayPauseButton": button = try value.spelling(of: MediaPlayPauseButton.self)
            default: throw JobError.unknownMember
            }
        }
        self.init(
            defaultContentHidden: defaultContentHidden,
            initialContentSizeRatio: ratio,
            mediaPlayPauseButton: button ?? .absent
        )
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if defaultContentHidden {
            writer.key("defaultContentHidden")
            writer.bool(true)
        }
        if let initialContentSizeRatio {
            writer.key("initialContentSizeRatio")
            writer.number(initialContentSizeRatio)
        }
        if mediaPlayPauseButton != .absent {
            writer.member("mediaPlayPauseButton", mediaPlayPauseButton.rawValue)
        }
        writer.endObject()
    }

    private static func flag(_ value: JSONValue) throws(JobError) -> Bool {
        guard case .bool(let flag) = value else { throw value.wrongType(expected: "true or false") }
        return flag
    }

    private static func ratio(_ value: JSONValue) throws(JobError) -> JSONNumber {
        guard case .number(let number) = value else { throw value.wrongType(expected: "a number") }
        guard let ratio = number.double, ratio > 0, ratio <= CategoryLimits.greatestSizeRatio else {
            throw JobError(.outOfRange, reason: "Must be above 0 and at most 10.")
        }
        return number
    }
}
