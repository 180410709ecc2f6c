/// The white space that Azure Notification Hubs trims, which is that of .NET's `Char.IsWhiteSpace`.
enum WhiteSpace {
    /// How many bytes the white space at `offset` has; nil when there is none.
    static func length(at offset: Int, in bytes: [UInt8]) -> Int? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case 0x09...0x0D, 0x20: return 1
        case 0xC2: return offset + 1 < bytes.count && (bytes[offset + 1] == 0x85 || bytes[offset + 1] == 0xA0) ? 2 : nil
        case 0xE1...0xE3: return offset + 2 < bytes.count && isWide(bytes[offset...(offset + 2)]) ? 3 : nil
        default: return nil
        }
    }

    /// How many bytes the white space before `offset` has; nil when there is none.
    static func lengthBefore(_ offset: Int, in bytes: [UInt8]) -> Int? {
        for length in 1...3 where offset >= length && self.length(at: offset - length, in: bytes) == length {
            return length
        }
        return nil
    }

    /// U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000.
    private static func isWide(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        return switch (bytes[start], bytes[start + 1], bytes[start + 2]) {
        case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9),
            (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            true
        default: false
        }
    }
}
