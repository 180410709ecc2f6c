/// A JSON document exactly as it was written: members keep their order and numbers keep their text.
///
/// Equality is byte for byte: strings that only look alike (composed and decomposed accents) are different values, as
/// they are in PostgreSQL.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null

    /// The literal `true` or `false`.
    case bool(Bool)

    /// A number, kept as text.
    case number(JSONNumber)

    /// A string without its escapes.
    case string(String)

    /// The elements in order.
    case array([JSONValue])

    /// The members in order, with no name twice.
    case object([JSONMember])
}

extension JSONValue {
    /// The value of the member `name`, or nil when this is no object or has no such member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The text of a string, or nil for any other kind.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The members of an object, or nil for any other kind.
    public var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The elements of an array, or nil for any other kind.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The kind in words, for messages to people.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: Hashable {
    /// Compares kinds, order and bytes.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    /// Feeds the kind and the bytes, so that equal values hash alike.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(UTF8Text(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}
