/// A media type with its parameters (RFC 9110 section 8.3.1), such as `text/plain; charset=utf-8`.
public struct MediaType: Sendable, Equatable {
    /// The part before the slash, in lower case.
    public let type: String

    /// The part after the slash, in lower case.
    public let subtype: String

    /// The parameters, names in lower case, values as they are without quotes.
    public let parameters: [(name: String, value: String)]

    /// Reads a field; nil when it is malformed or names a parameter twice.
    public init?(_ field: String) {
        guard let parsed = ParameterizedValue(field) else { return nil }
        let parts = parsed.value.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, ASCII.isToken(parts[0].utf8), ASCII.isToken(parts[1].utf8) else { return nil }
        type = ParameterizedValue.lowercased(parts[0].utf8)
        subtype = ParameterizedValue.lowercased(parts[1].utf8)
        parameters = parsed.parameters
    }

    /// Type and subtype, such as `application/json`.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter; the name in lower case.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Whether it is JSON, also as a suffix such as `application/problem+json`.
    public var isJSON: Bool { essence == "application/json" || subtype.hasSuffix("+json") }

    /// Compares types, and parameters in their order.
    public static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence == right.essence
            && left.parameters.elementsEqual(right.parameters) { $0.name == $1.name && $0.value == $1.value }
    }
}
