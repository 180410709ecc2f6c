/// A rich content that the job itself brings.
public struct InlineContent: Hashable, Sendable {
    /// Its media type, such as `image/png`.
    public let type: String

    /// What the app fetches.
    public let bytes: [UInt8]

    /// The name of its file, if it has one.
    public let name: String?

    /// Takes checked values.
    public init(type: String, bytes: [UInt8], name: String? = nil) {
        self.type = type
        self.bytes = bytes
        self.name = name
    }

    /// Reads `type`, `data` in base64 and `name`; `data` has at most `limit` bytes.
    public init(decoding value: JSONValue, limit: Int = JobLimits.contentBytes) throws(JobError) {
        var type: String?
        var bytes: [UInt8]?
        var name: String?
        try value.forEachMember { (member, value) throws(JobError) in
            switch member {
            case "type": type = try value.mediaType()
            case "data": bytes = try value.base64Bytes(upTo: limit)
            case "name": name = try value.fileName()
            default: throw JobError.unknownMember
            }
        }
        guard let type else { throw JobError.missing("type") }
        guard let bytes else { throw JobError.missing("data") }
        self.init(type: type, bytes: bytes, name: name)
    }
}
