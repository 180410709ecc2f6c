/// Content that stays with the sender until the app fetches it by its id.
public struct RichContent: Hashable, Sendable {
    /// The id, as the sender wrote it: a string or an integer.
    public let id: JSONValue

    /// A line to show before it is fetched.
    public let message: String?

    /// What it is, in the app's own words, such as `img`.
    public let type: String?

    /// Takes checked values.
    public init(id: JSONValue, message: String? = nil, type: String? = nil) {
        self.id = id
        self.message = message
        self.type = type
    }

    init(decoding value: JSONValue) throws(JobError) {
        var id: JSONValue?
        var message: String?
        var type: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": id = try Self.id(value)
            case "message": message = try value.text(upTo: JobLimits.textBytes)
            case "type": type = try value.text(upTo: JobLimits.nameBytes)
            default: throw JobError.unknownMember
            }
        }
        guard let id else { throw JobError.missing("id") }
        self.init(id: id, message: message, type: type)
    }

    private static func id(_ value: JSONValue) throws(JobError) -> JSONValue {
        switch value {
        case .string: _ = try value.text(upTo: JobLimits.nameBytes)
        case .number: _ = try value.integer(in: .min ... .max)
        case .null, .bool, .array, .object: throw value.wrongType(expected: "a string or an integer")
        }
        return value
    }

    /// The custom members by which the app learns of it.
    var members: [JSONMember] {
        [
            JSONMember(name: "richId", value: id),
            message.map { JSONMember(name: "richMessage", value: .string($0)) },
            type.map { JSONMember(name: "richType", value: .string($0)) },
        ].compactMap(\.self)
    }
}
