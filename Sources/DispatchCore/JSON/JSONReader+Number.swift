extension JSONReader {
    /// Reads a number (RFC 8259 section 6) and keeps its text.
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = offset
        if peek() == UInt8(ascii: "-") { offset += 1 }
        if peek() == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if peek() == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        let hasExponent = try exponent()
        let length = offset - start
        guard length <= JSONLimits.numberBytes else {
            throw JSONError(code: .numberOutOfRange, offset: start, expected: "a number of at most 512 bytes")
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        // Without an exponent, a text this short is neither too large nor too near to zero.
        guard length <= 300 && !hasExponent || Self.isInRange(text) else {
            throw JSONError(code: .numberOutOfRange, offset: start, expected: "a number that a double can hold")
        }
        return JSONNumber(checked: text)
    }

    private mutating func exponent() throws(JSONError) -> Bool {
        guard peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") else { return false }
        offset += 1
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
        try digits()
        return true
    }

    private mutating func digits() throws(JSONError) {
        guard let first = peek(), Self.isDigit(first) else { throw unexpected("a digit") }
        while let next = peek(), Self.isDigit(next) {
            offset += 1
        }
    }

    private static func isInRange(_ text: String) -> Bool {
        guard let value = Double(text), value.isFinite else { return false }
        return value != 0 || !hasNonzeroMantissa(text)
    }

    private static func hasNonzeroMantissa(_ text: String) -> Bool {
        text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains {
            $0 > UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
        }
    }
}
