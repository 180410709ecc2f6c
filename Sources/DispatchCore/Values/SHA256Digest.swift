/// The SHA-256 of some bytes (FIPS 180-4): for names that must be short and the same everywhere, not for secrets.
public struct SHA256Digest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Digests `message`.
    public init(of message: some Collection<UInt8>) {
        var state = Self.initialState
        let isDigested: Void? = message.withContiguousStorageIfAvailable { Self.digest($0, into: &state) }
        if isDigested == nil { Array(message).withUnsafeBufferPointer { Self.digest($0, into: &state) } }
        bytes = Array(unsafeUninitializedCapacity: 32) { buffer, count in
            for index in 0..<32 {
                buffer[index] = UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(24 - 8 * (index % 4)))
            }
            count = 32
        }
    }

    /// The digest in base64url without padding (RFC 4648, section 5): 43 characters.
    public var base64URL: String {
        String(unsafeUninitializedCapacity: 43) { buffer in
            for index in 0..<43 {
                // The six bits that begin at this one, across the border of two bytes; zeros follow the last byte.
                let bit = 6 * index
                let next = bit / 8 + 1 < 32 ? bytes[bit / 8 + 1] : 0
                let pair = UInt16(bytes[bit / 8]) << 8 | UInt16(next)
                buffer[index] = Self.base64URLDigit(pair >> UInt16(10 - bit % 8) & 63)
            }
            return 43
        }
    }

    /// The digest in lower-case hexadecimal: 64 characters.
    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: 64) { buffer in
            for index in 0..<64 {
                let nibble = index % 2 == 0 ? bytes[index / 2] >> 4 : bytes[index / 2] & 15
                buffer[index] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            }
            return 64
        }
    }

    private static func base64URLDigit(_ value: UInt16) -> UInt8 {
        let value = UInt8(value)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}

extension SHA256Digest {
    /// Eight words, and a block's sixteen: named instead of kept in arrays, since pushes are labelled one by one.
    typealias State = InlineArray<8, UInt32>
    private typealias Block = InlineArray<16, UInt32>

    /// The whole blocks, then the rest with a one bit, zeros up to 8 bytes before a block's end, and the length in bits.
    private static func digest(_ message: UnsafeBufferPointer<UInt8>, into state: inout State) {
        let rest = message.count % 64
        let start = message.count - rest
        for position in stride(from: 0, to: start, by: 64) {
            compress(block { message[position + $0] }, into: &state)
        }
        let length = UInt64(message.count) * 8
        func padded(_ index: Int, lengthAt end: Int) -> UInt8 {
            if index < rest { return message[start + index] }
            if index == rest { return 0x80 }
            return index < end ? 0 : UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * (index - end)))
        }
        guard rest < 56 else {
            compress(block { padded($0, lengthAt: 120) }, into: &state)
            compress(block { padded(64 + $0, lengthAt: 120) }, into: &state)
            return
        }
        compress(block { padded($0, lengthAt: 56) }, into: &state)
    }

    private static func block(_ byte: (Int) -> UInt8) -> Block {
        var block = Block(repeating: 0)
        for index in 0..<64 {
            block[index / 4] = block[index / 4] << 8 | UInt32(byte(index))
        }
        return block
    }

    private static func compress(_ block: Block, into state: inout State) {
        state = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            schedule(block, in: words)
            return constants.withUnsafeBufferPointer { compressed(state, words, $0) }
        }
    }

    private static func compressed(
        _ state: State,
        _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) -> State {
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
        return [
            state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d,
            state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h,
        ]
    }

    private static func schedule(_ block: Block, in words: UnsafeMutableBufferPointer<UInt32>) {
        for index in block.indices { words[index] = block[index] }
        for index in 16..<64 {
            let early = words[index - 15]
            let late = words[index - 2]
            let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
