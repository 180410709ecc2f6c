/// Text as it stands in an XML 1.0 document.
public enum XMLText {
    /// Appends `text` so that every reader gets it back, in an attribute value or between tags.
    ///
    /// The five characters of markup become entities in both places. In attributes tab, line feed and carriage return
    /// become references too, since a reader would turn them into spaces (XML 1.0, section 3.3.3); between tags only the
    /// carriage return does (section 2.11). What XML cannot hold at all (section 2.2) becomes U+FFFD.
    public static func escaped(_ text: String, attribute: Bool, into bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { escaped(utf8: $0, attribute: attribute, into: &bytes) }
    }

    /// Appends UTF-8 in the same way.
    static func escaped(utf8 text: UnsafeBufferPointer<UInt8>, attribute: Bool, into bytes: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            guard let (length, replacement) = replacement(in: text, at: index, attribute: attribute) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            bytes.append(
                contentsOf: UnsafeBufferPointer(start: replacement.utf8Start, count: replacement.utf8CodeUnitCount)
            )
            index += length
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// What stands for the character at `index`, and how many bytes the character has; nil when it stands for itself.
    private static func replacement(
        in text: UnsafeBufferPointer<UInt8>,
        at index: Int,
        attribute: Bool
    ) -> (length: Int, replacement: StaticString)? {
        switch text[index] {
        case UInt8(ascii: "&"): (1, "&amp;")
        case UInt8(ascii: "<"): (1, "&lt;")
        case UInt8(ascii: ">"): (1, "&gt;")
        case UInt8(ascii: "\""): (1, "&quot;")
        case UInt8(ascii: "'"): (1, "&apos;")
        case 0x0D: (1, "&#13;")
        case 0x09: attribute ? (1, "&#9;") : nil
        case 0x0A: attribute ? (1, "&#10;") : nil
        case 0..<0x20: (1, "\u{FFFD}")
        case 0xEF where isNoncharacter(in: text, at: index): (3, "\u{FFFD}")
        default: nil
        }
    }

    /// U+FFFE and U+FFFF, the two that XML leaves out of its characters above the controls.
    private static func isNoncharacter(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE
    }
}
