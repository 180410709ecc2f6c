/// Content that the app fetches by its id: from the hub, or from the sender when the id is the sender's own.
public struct RichContent: Hashable, Sendable {
    /// The id, as the sender wrote it: a string or an integer; nil for the hub's number of the notification.
    public let id: JSONValue?

    /// A line to show before it is fetched.
    public let message: String?

    /// What it is, in the app's own words, such as `img`.
    public let type: String?

    /// The content itself, which the hub keeps.
    public let content: InlineContent?

    /// Where the hub sends those who fetch it, by https.
    public let url: String?

    /// Takes checked values.
    public init(
        id: JSONValue? = nil,
        message: String? = nil,
        type: String? = nil,
        content: InlineContent? = nil,
        url: String? = nil
    ) {
        self.id = id
        self.message = message
        self.type = type
        self.content = content
        self.url = url
    }

    init(decoding value: JSONValue) throws(JobError) {
        var id: JSONValue?
        var texts: (message: String?, type: String?)
        var content: InlineContent?
        var url: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": id = try Self.id(value)
            case "message": texts.message = try value.text(upTo: JobLimits.textBytes)
            case "type": texts.type = try value.text(upTo: JobLimits.nameBytes)
            case "content": content = try InlineContent(decoding: value)
            case "url": url = try value.secureURL()
            default: throw JobError.unknownMember
            }
        }
        guard content == nil || url == nil else {
            throw JobError(.conflictingMembers, reason: "Only one of content and url can be given.").under("url")
        }
        self.init(id: id, message: texts.message, type: texts.type, content: content, url: url)
    }

    private static func id(_ value: JSONValue) throws(JobError) -> JSONValue {
        switch value {
        case .string: _ = try value.text(upTo: JobLimits.nameBytes)
        case .number: _ = try value.integer(in: .min ... .max)
        case .null, .bool, .array, .object: throw value.wrongType(expected: "a string or an integer")
        }
        return value
    }

    /// Whether the hub may have it, rather than the sender alone.
    var isKept: Bool { content != nil || url != nil || id == nil }

    /// The same with an id; one that it has stays.
    func identified(by number: NotificationID) -> RichContent {
        RichContent(
            id: id ?? .number(JSONNumber(number.rawValue)),
            message: message,
            type: type,
            content: content,
            url: url
        )
    }

    /// The custom members by which the app learns of it.
    var members: [JSONMember] {
        [
            id.map { JSONMember(name: "richId", value: $0) },
            message.map { JSONMember(name: "richMessage", value: .string($0)) },
            type.map { JSONMember(name: "richType", value: .string($0)) },
        ].compactMap(\.self)
    }
}
