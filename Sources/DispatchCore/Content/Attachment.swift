/// A picture, sound or film that the device fetches and shows with the notification.
public struct Attachment: Hashable, Sendable {
    /// Where it is fetched, by https; nil for the notification's own rich content.
    public let url: String?

    /// Its media type, such as `image/jpeg`.
    public let type: String?

    /// The custom member under which an app finds the address.
    public let key: String

    /// The key when a job names none.
    public static let standardKey = "my-attachment"

    /// Takes checked values.
    public init(url: String?, type: String? = nil, key: String = Attachment.standardKey) {
        self.url = url
        self.type = type
        self.key = key
    }

    /// Whether it is a picture; one without a media type counts as one, since platforms that show nothing else ignore it.
    public var isImage: Bool { type?.lowercased().hasPrefix("image/") ?? true }

    init(decoding value: JSONValue) throws(JobError) {
        var url: String?
        var type: String?
        var key = Self.standardKey
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "url": url = try value.secureURL()
            case "type": type = try value.mediaType()
            case "key": key = try value.customKey()
            default: throw JobError.unknownMember
            }
        }
        self.init(url: url, type: type, key: key)
    }

    /// The same with an address: its own, that of the rich content, or the hub's own for the content it keeps.
    func located(of rich: RichContent?, at address: String?) -> Attachment {
        guard url == nil else { return self }
        return Attachment(url: rich?.url ?? address, type: type ?? rich?.content?.type, key: key)
    }
}
