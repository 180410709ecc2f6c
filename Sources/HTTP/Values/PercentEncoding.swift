/// Escapes of the form `%HH` (RFC 3986 section 2.1).
public enum PercentEncoding {
    /// Decodes a part of an address.
    ///
    /// - Parameters:
    ///   - bytes: The part as it was sent.
    ///   - plusIsSpace: Whether a plus sign stands for a space, as in queries that forms make.
    /// - Returns: The decoded text.
    /// - Throws: `HTTPTargetError` for a bad escape, a zero octet or text that is not UTF-8.
    public static func decode(
        _ bytes: ArraySlice<UInt8>,
        plusIsSpace: Bool = false
    ) throws(HTTPTargetError) -> String {
        let isPlain = !bytes.contains { $0 == UInt8(ascii: "%") || $0 >= 0x80 || $0 == 0 || $0 == UInt8(ascii: "+") }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                decoded.append(try escaped(in: bytes, at: index))
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(0x20)
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        guard !decoded.contains(0) else { throw .zeroOctet }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Encodes text so that it can stand as one path segment or query value.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func escaped(in bytes: ArraySlice<UInt8>, at index: Int) throws(HTTPTargetError) -> UInt8 {
        guard
            index + 2 < bytes.endIndex,
            let high = ASCII.hexadecimal(bytes[index + 1]),
            let low = ASCII.hexadecimal(bytes[index + 2])
        else { throw .badEscape }
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
