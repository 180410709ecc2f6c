/// The forms that an expression gives to a text.
enum TextForms {
    /// The longest beginning of at most `units` UTF-16 units, with no character cut in two, and its number of units.
    ///
    /// A character outside of the basic plane has two units; where only its first would fit, it is left out.
    static func prefix(
        of text: UnsafeBufferPointer<UInt8>,
        units: Int
    ) -> (text: UnsafeBufferPointer<UInt8>, units: Int) {
        guard units < text.count else { return (text, text.count) }
        var count = 0
        var offset = 0
        while offset < text.count {
            let (length, width) = shape(ofLead: text[offset])
            guard count + width <= units else { break }
            count += width
            offset += length
        }
        return (UnsafeBufferPointer(rebasing: text[..<offset]), count)
    }

    /// Appends `text` with all but the unreserved characters of RFC 3986, section 2.3, percent-encoded.
    static func appendURIEncoded(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            if NameForms.isLetterOrDigit(byte) && byte < 0x80 || isMark(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal(byte >> 4))
                bytes.append(hexadecimal(byte & 15))
            }
        }
    }

    /// Whether `text` is `(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
    static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var offset = digits(text, from: 0)
        guard offset > 0, offset == 1 || text[0] != UInt8(ascii: "0") else { return false }
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            let end = digits(text, from: offset + 1)
            guard end > offset + 1 else { return false }
            offset = end
        }
        guard offset < text.count else { return true }
        guard text[offset] | 0x20 == UInt8(ascii: "e") else { return false }
        offset += 1
        if offset < text.count, text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
        return offset < text.count && digits(text, from: offset) == text.count
    }

    private static func digits(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset < text.count, JSONReader.isDigit(text[offset]) {
            offset += 1
        }
        return offset
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }

    private static func shape(ofLead lead: UInt8) -> (length: Int, width: Int) {
        switch lead {
        case 0xF0...: (4, 2)
        case 0xE0...: (3, 1)
        case 0xC0...: (2, 1)
        default: (1, 1)
        }
    }
}
