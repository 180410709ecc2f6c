extension JSONNumber {
    /// The digits of the integer that a text with a fraction or an exponent means; nil when it means none.
    var wholeDigits: String? {
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let isNegative = parts[0].first == UInt8(ascii: "-")
        let mantissa = parts[0].dropFirst(isNegative ? 1 : 0).split(separator: UInt8(ascii: "."))
        let fraction = mantissa.count == 2 ? Array(mantissa[1]) : []
        var digits = Array(mantissa[0]) + fraction
        guard digits.contains(where: { $0 != UInt8(ascii: "0") }) else { return "0" }
        // No double has an exponent of more than three digits, and a fraction has 512 at most.
        guard let power = parts.count == 2 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0 else { return nil }
        var shift = power - fraction.count
        while shift < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            shift += 1
        }
        guard shift >= 0, shift <= 512 else { return nil }
        digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: shift))
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}
