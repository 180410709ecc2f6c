/// Standard base64 with padding (RFC 4648 section 4).
enum Base64 {
    /// What the text stands for; nil when it is not base64.
    ///
    /// Bits that the last digit has too many are ignored, as most encoders' readers do.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    /// The value of each ASCII digit; 255 for what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let count = text.count / 4 * 3 - padding
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, initialized in
            values.withUnsafeBufferPointer { values in
                isValid = write(text, padding: padding, values, to: bytes)
            }
            initialized = isValid ? count : 0
        }
        return isValid ? bytes : nil
    }

    /// Writes three bytes for each four digits; padding counts as zeros.
    private static func write(
        _ text: UnsafeBufferPointer<UInt8>,
        padding: Int,
        _ values: UnsafeBufferPointer<UInt8>,
        to bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        let digits = text.count - padding
        var output = 0
        for start in stride(from: 0, to: text.count, by: 4) {
            var word: UInt32 = 0
            for index in start..<(start + 4) {
                let value = index < digits ? values[Int(text[index])] : 0
                guard value != 255 else { return false }
                word = word << 6 | UInt32(value)
            }
            bytes.initializeElement(at: output, to: UInt8(truncatingIfNeeded: word >> 16))
            bytes.initializeElement(at: output + 1, to: UInt8(truncatingIfNeeded: word >> 8))
            bytes.initializeElement(at: output + 2, to: UInt8(truncatingIfNeeded: word))
            output += 3
        }
        return true
    }
}
