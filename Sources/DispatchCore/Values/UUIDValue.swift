/// A 128-bit identifier (RFC 9562) kept as two words, printed in lower case.
public struct UUIDValue: Hashable, Sendable {
    /// Octets 0 to 7, most significant first.
    public let high: UInt64

    /// Octets 8 to 15, most significant first.
    public let low: UInt64

    /// Makes an identifier from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension UUIDValue: LosslessStringConvertible {
    /// Parses the 8-4-4-4-12 form in either case; anything else is nil.
    public init?(_ text: String) {
        var text = text
        let words = text.withUTF8 { Self.words(ofHexadecimalForm: $0) }
        guard let (high, low) = words else { return nil }
        self.init(high: high, low: low)
    }

    /// The canonical form: 32 lower-case hexadecimal digits, 8-4-4-4-12.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: word &>> UInt64(60 - 4 * (index % 16))) & 15
                buffer[position] = nibble &+ (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                position += 1
            }
            return 36
        }
    }

    private static func words(ofHexadecimalForm bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
        guard bytes.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(byte) else { return nil }
            if position < 18 {
                words.0 = words.0 << 4 | digit
            } else {
                words.1 = words.1 << 4 | digit
            }
        }
        return words
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
