/// A text as it is, or the name of one that the app brings in the device's language.
public enum LocalizableText: Hashable, Sendable {
    /// This text.
    case literal(String)

    /// The app's own text under `key`, its placeholders filled by `arguments` in order.
    ///
    /// `fallback` is shown on platforms without such keys; without one they leave the text out.
    case keyed(key: String, arguments: [String], fallback: String?)

    /// The text to show where there are no keys.
    public var text: String? {
        switch self {
        case .literal(let text): text
        case .keyed(_, _, let fallback): fallback
        }
    }

    init(decoding value: JSONValue) throws(JobError) {
        if case .object = value {
            self = try Self.keyed(decoding: value)
        } else {
            self = .literal(try value.text(upTo: JobLimits.textBytes))
        }
    }

    private static func keyed(decoding value: JSONValue) throws(JobError) -> LocalizableText {
        var key: String?
        var arguments: [String] = []
        var fallback: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "key": key = try value.text(upTo: JobLimits.nameBytes)
            case "args": arguments = try value.list(limit: JobLimits.arguments, Self.argument)
            case "fallback": fallback = try value.text(upTo: JobLimits.textBytes)
            default: throw JobError.unknownMember
            }
        }
        guard let key else { throw JobError.missing("key") }
        return .keyed(key: key, arguments: arguments, fallback: fallback)
    }

    /// An argument may be empty: it stands inside a longer text.
    private static func argument(_ value: JSONValue) throws(JobError) -> String {
        guard value != .string("") else { return "" }
        return try value.text(upTo: JobLimits.argumentBytes)
    }
}

extension LocalizableText: ExpressibleByStringLiteral {
    /// Takes the text as it is.
    public init(stringLiteral value: String) {
        self = .literal(value)
    }
}
