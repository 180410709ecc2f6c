extension XMLReader {
    /// Reads a name; characters above ASCII are taken as they come.
    mutating func name() throws(XMLError) -> String {
        let start = offset
        while let byte = peek(), Self.isNameByte(byte, isFirst: offset == start) {
            offset += 1
        }
        guard offset > start else { throw error("a name") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Reads text up to the next tag.
    mutating func characterData() throws(XMLError) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                try appendReference(to: &text)
            } else {
                guard !takes("]]>") else { throw error("no “]]>” in text") }
                try appendCharacter(to: &text)
            }
        }
        return text
    }

    /// Reads the inside of a section of raw text, with the cursor behind its beginning.
    mutating func rawData() throws(XMLError) -> [UInt8] {
        var text: [UInt8] = []
        while offset < bytes.count {
            if takes("]]>") { return text }
            try appendCharacter(to: &text)
        }
        throw error("the end of a CDATA section")
    }

    /// Reads an attribute's value up to its quote.
    mutating func attributeValue(_ quote: UInt8) throws(XMLError) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = peek(), byte != quote {
            if byte == UInt8(ascii: "<") { throw error("“&lt;” instead of “<”") }
            if byte == UInt8(ascii: "&") {
                try appendReference(to: &text)
            } else {
                try appendCharacter(to: &text)
                if text[text.count - 1] < 0x20 { text[text.count - 1] = 0x20 }
            }
        }
        guard peek() != nil else { throw error("the closing quote of an attribute") }
        return text
    }

    /// Refuses a character that XML cannot hold (XML 1.0, section 2.2).
    func checkCharacter() throws(XMLError) {
        let byte = bytes[offset]
        guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else {
            throw error("no control characters")
        }
        let isNoncharacter =
            byte == 0xEF && offset + 2 < bytes.count && bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
        if isNoncharacter { throw error("neither U+FFFE nor U+FFFF") }
    }

    /// Takes over one byte; every end of line becomes a line feed (XML 1.0, section 2.11).
    private mutating func appendCharacter(to text: inout [UInt8]) throws(XMLError) {
        try checkCharacter()
        let byte = bytes[offset]
        offset += 1
        guard byte == 0x0D else { return text.append(byte) }
        if peek() == 0x0A { offset += 1 }
        text.append(0x0A)
    }

    private mutating func appendReference(to text: inout [UInt8]) throws(XMLError) {
        let start = offset
        for (entity, byte) in Self.entities where takes(entity) {
            return text.append(byte)
        }
        guard takes("&#") else { throw error("one of &amp; &lt; &gt; &quot; &apos; or a character's number") }
        let radix = takes("x") ? 16 : 10
        let digits = bytes[offset...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
        offset += digits.count
        guard digits.allSatisfy(NameForms.isLetterOrDigit), takes(";"),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: radix),
            let scalar = Unicode.Scalar(number), Self.isCharacter(scalar)
        else { throw XMLError(offset: start, expected: "the number of a character that XML can hold") }
        text.append(contentsOf: String(Character(scalar)).utf8)
    }

    private static let entities: [(StaticString, UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]

    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...: true
        default: false
        }
    }

    private static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): !isFirst
        default: NameForms.isLetter(byte)
        }
    }
}
