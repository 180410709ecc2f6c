/// What the ids and addresses that apps choose may look like.
public enum IdentifierRules {
    /// The longest id in bytes; it has to fit a database index key many times over.
    public static let greatestLength = 256

    /// Whether `text` can name an installation: 1 to 256 bytes without white space and control characters.
    public static func isInstallationID(_ text: String) -> Bool {
        (1...greatestLength).contains(text.utf8.count) && isUnbroken(text)
    }

    /// Whether `text` can name a user: 1 to 256 bytes without control characters.
    public static func isUserID(_ text: String) -> Bool {
        guard (1...greatestLength).contains(text.utf8.count) else { return false }
        return isPlainASCII(text) || !text.unicodeScalars.contains(where: isControl)
    }

    /// Whether `text` can name a hub: 1 to 64 ASCII letters, digits, “.”, “_” and “-”.
    public static func isHubName(_ text: String) -> Bool {
        (1...JobLimits.hubBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { Tag.isTagByte($0) && !":@#".utf8.contains($0) }
    }

    /// Whether `text` can name a category: 1 to 256 bytes without control characters.
    public static func isCategoryID(_ text: String) -> Bool { isUserID(text) }

    /// Whether `text` has neither white space nor control characters.
    static func isUnbroken(_ text: String) -> Bool {
        isPlainASCII(text) || !text.unicodeScalars.contains { isControl($0) || $0.properties.isWhitespace }
    }

    /// The answer for nearly every id, without a look at the Unicode tables.
    private static func isPlainASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
