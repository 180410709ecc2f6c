/// The names of files: text to show, never a path.
enum FileName {
    private static let greatestLength = 255

    /// A name as it is kept: without folders and control characters; nil when nothing is left of it.
    static func cleaned(_ text: String?) -> String? {
        guard let text else { return nil }
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var name = String.UnicodeScalarView()
        var length = 0
        for scalar in last.unicodeScalars where !isControl(scalar) {
            length += UTF8.width(scalar)
            guard length <= greatestLength else { break }
            name.append(scalar)
        }
        let isName = name.contains { $0 != "." && $0 != " " }
        return isName ? String(name) : nil
    }

    /// The Content-Disposition field of a content (RFC 6266): a plain name for old readers, the whole one for others.
    static func disposition(_ name: String?, isShown: Bool) -> String {
        let kind = isShown ? "inline" : "attachment"
        guard let name else { return kind }
        let isPlain = name.utf8.allSatisfy { isAttributeCharacter($0) || $0 == UInt8(ascii: " ") }
        if isPlain { return "\(kind); filename=\"\(name)\"" }
        let plain = name.unicodeScalars.map { scalar in
            scalar.isASCII && isAttributeCharacter(UInt8(scalar.value)) ? Character(scalar) : "_"
        }
        return "\(kind); filename=\"\(String(plain))\"; filename*=UTF-8''\(escaped(name))"
    }

    private static func escaped(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = name.utf8.flatMap { byte -> [UInt8] in
            if isAttributeCharacter(byte) { return [byte] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 8187: what needs no escape in an extended value.
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$&+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            || scalar.properties.generalCategory == .format
    }
}
