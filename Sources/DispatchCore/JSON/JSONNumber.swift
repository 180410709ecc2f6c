/// A JSON number as its exact source text, so that `1.10`, `1e2` and 20-digit integers leave as they came.
public struct JSONNumber: Hashable, Sendable {
    /// The text as RFC 8259 section 6 writes it, ASCII only.
    public let text: String

    /// The number as an integer, when it is written as one (no fraction, no exponent) and fits.
    public var int64: Int64? { Int64(text) }

    /// The number as an integer, however it is written: `1.0` and `1e2` are integers, as JSON Schema has it too.
    ///
    /// Nil when it has a fraction, or does not fit; `isInteger` tells which.
    public var integer: Int64? { int64 ?? wholeDigits.flatMap { Int64($0) } }

    /// Whether the value is an integer, of whatever size.
    public var isInteger: Bool { isIntegerLiteral || wholeDigits != nil }

    /// The nearest double; nil only when the text was not a finite number, which the parser refuses.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whether the text has neither a fraction nor an exponent.
    public var isIntegerLiteral: Bool {
        text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || JSONReader.isDigit($0) }
    }

    /// Makes the number that prints as `value`.
    public init(_ value: Int64) {
        text = String(value)
    }

    /// Takes text that follows RFC 8259 and is in the range of a double; anything else is nil.
    public init?(text: String) {
        guard case .number(let number)? = try? JSONParser.parse(Array(text.utf8)), number.text == text else {
            return nil
        }
        self = number
    }

    /// Takes text that has been checked already.
    init(checked text: String) {
        self.text = text
    }
}
