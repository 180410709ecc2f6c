/// A validator of a representation (RFC 9110 section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// The octets between the quotes.
    public let value: String

    /// Whether it only promises the same meaning, not the same octets.
    public let isWeak: Bool

    /// Makes a tag; a quote, space or control character in the value is replaced by an underscore.
    public init(_ value: String, isWeak: Bool = false) {
        let bytes = value.utf8.map { Self.isAllowed($0) ? $0 : UInt8(ascii: "_") }
        self.value = String(decoding: bytes, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// The tag as a field carries it.
    public var field: String { "\(isWeak ? "W/" : "")\"\(value)\"" }

    /// Strong comparison: the same value, and neither is weak.
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Weak comparison: the same value.
    public func matchesWeakly(_ other: EntityTag) -> Bool {
        value == other.value
    }

    /// Reads a list of tags; nil when it is not one.
    static func list(_ field: some StringProtocol) -> [EntityTag]? {
        var tags: [EntityTag] = []
        var rest = Array(field.utf8)[...]
        while true {
            rest = rest.drop { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return tags }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return nil }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            guard rest[..<end].allSatisfy({ isAllowed($0) }) else { return nil }
            tags.append(EntityTag(String(decoding: rest[..<end], as: UTF8.self), isWeak: isWeak))
            rest = rest[(end + 1)...].drop { ASCII.isBlank($0) }
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte == 0x21 || (byte >= 0x23 && byte != 0x7F)
    }
}
