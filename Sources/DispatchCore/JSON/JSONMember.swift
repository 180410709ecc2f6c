/// One `"name": value` of a JSON object.
public struct JSONMember: Sendable {
    /// The name without its escapes.
    public let name: String

    /// What it stands for.
    public let value: JSONValue

    /// Pairs a name with a value.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONMember: Hashable {
    /// Compares names by their bytes.
    public static func == (left: JSONMember, right: JSONMember) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    /// Feeds the name's bytes and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Text(name))
        hasher.combine(value)
    }
}
