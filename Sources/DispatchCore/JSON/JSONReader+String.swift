extension JSONReader {
    /// Reads a string, with the cursor on its opening quote; one without escapes is copied in one piece.
    mutating func string() throws(JSONError) -> String {
        offset += 1
        let start = offset
        try skipPlainText()
        if peek() == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start..<(offset - 1)], as: UTF8.self)
        }
        return try stringWithEscapes(from: start)
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<offset])
        while peek() != UInt8(ascii: "\"") {
            try appendEscape(to: &text)
            let plainStart = offset
            try skipPlainText()
            text.append(contentsOf: bytes[plainStart..<offset])
        }
        offset += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Moves to the next quote or backslash over bytes that stand for themselves.
    private mutating func skipPlainText() throws(JSONError) {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            if byte >= 0x80 {
                try skipMultibyteCharacter()
            } else if byte >= 0x20 {
                offset += 1
            } else if byte == 0 {
                throw error(.nulCharacter, "no U+0000")
            } else {
                throw error(.unexpectedByte, "control characters as escapes")
            }
        }
        throw error(.unexpectedEnd, "the closing quote of a string")
    }

    /// Checks one character of two to four bytes by table 3-7 of the Unicode standard: no overlong form, no surrogate.
    private mutating func skipMultibyteCharacter() throws(JSONError) {
        let (length, second) = Self.shape(ofLead: bytes[offset])
        guard length > 0, offset + length <= bytes.count, second.contains(bytes[offset + 1]) else {
            throw error(.invalidUTF8, "UTF-8")
        }
        for index in 2..<max(length, 2) where bytes[offset + index] & 0xC0 != 0x80 {
            throw error(.invalidUTF8, "UTF-8")
        }
        offset += length
    }

    private static func shape(ofLead lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>) {
        switch lead {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: (0, 0x80...0xBF)
        }
    }
}

extension JSONReader {
    private mutating func appendEscape(to text: inout [UInt8]) throws(JSONError) {
        let start = offset
        offset += 1
        guard let kind = peek() else { throw unexpected("an escape") }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: try scalar(escapedAt: start).utf8)
        default:
            offset -= 1
            throw unexpected("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    /// Reads the digits after `\u`, and the second escape of a surrogate pair.
    private mutating func scalar(escapedAt start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimalUnit()
        guard unit != 0 else { throw JSONError(code: .nulCharacter, offset: start, expected: "no U+0000") }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let alone = JSONError(code: .loneSurrogate, offset: start, expected: "both halves of a surrogate pair")
        guard UTF16.isLeadSurrogate(unit), offset + 1 < bytes.count else { throw alone }
        guard bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else { throw alone }
        offset += 2
        let trail = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw alone }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw unexpected("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
