/// A word that installations carry and audiences name: 1 to 120 of the ASCII letters, digits and `_ @ # . : -`.
///
/// Upper and lower case differ. Because tags are ASCII, equal strings are equal bytes.
public struct Tag: Hashable, Sendable {
    /// The word.
    public let text: String

    /// The longest tag in bytes, as Azure Notification Hubs has it.
    public static let greatestLength = 120

    private static let userPrefix = "username:"

    /// The user whom a tag `username:…` stands for, as apps name their users by tags.
    public var userName: String? {
        text.hasPrefix(Self.userPrefix) ? String(text.dropFirst(Self.userPrefix.count)) : nil
    }

    /// Takes a well-formed word; anything else is nil.
    public init?(_ text: String) {
        guard (1...Self.greatestLength).contains(text.utf8.count), text.utf8.allSatisfy(Self.isTagByte) else {
            return nil
        }
        self.text = text
    }

    /// Takes a word whose bytes and length have been checked.
    init(checked text: String) {
        self.text = text
    }

    static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: ":"): true
        case UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension Tag: CustomStringConvertible {
    /// The word itself.
    public var description: String { text }
}
