/// The SHA-256 of some bytes (FIPS 180-4): for names that must be short and the same everywhere, not for secrets.
public struct SHA256Digest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Digests `message`.
    public init(of message: some Collection<UInt8>) {
        var state = Self.initialState
        let padded = Self.padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            padded.withUnsafeBufferPointer { Self.compress($0, from: start, into: &state) }
        }
        bytes = state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    /// The digest in base64url without padding (RFC 4648, section 5): 43 characters.
    public var base64URL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += (0...group.count).map { alphabet[word >> (18 - 6 * $0) & 63] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digest in lower-case hexadecimal: 64 characters.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The message, a one bit, zeros up to 8 bytes before a block's end, and its length in bits.
    private static func padded(_ message: some Collection<UInt8>) -> [UInt8] {
        var padded = Array(message)
        let length = UInt64(padded.count) * 8
        padded.append(0x80)
        padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
        return padded
    }

    private static func compress(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into state: inout [UInt32]) {
        let words = schedule(of: bytes, from: start)
        // Eight named words instead of an array: a megabyte is sixteen thousand blocks.
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum1 &+ (e & f ^ ~e & g) &+ constants[round] &+ words[round]
            let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = sum0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func schedule(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> InlineArray<64, UInt32> {
        var words = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            let offset = start + 4 * index
            let high = UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
            words[index] = high | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
        }
        for index in 16..<64 {
            let early = words[index - 15]
            let late = words[index - 2]
            let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
        }
        return words
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
