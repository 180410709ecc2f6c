/// What a push channel's prefix makes the simulated gateway do, so that a test can script each device by its token.
enum SimulatedScript: Hashable, Sendable {
    /// `ok-…`: accepted.
    case accept

    /// `dead-…`: the channel is unregistered, as of now.
    case dead

    /// `retryN-…`: N times overloaded, then accepted.
    case retry(times: Int)

    /// `afterN-…`: throttled for N seconds, then accepted.
    case after(seconds: Int)

    /// `large-…`: the payload is too large.
    case large

    /// `hang-…`: never answered.
    case hang

    /// `deny-…`: the hub's credential is refused.
    case deny

    /// `moved-…`: accepted, and the device is reached at `ok-…` from now on.
    case moved

    /// Reads the prefix, or returns nil when there is none of these.
    init?(channel: String) {
        var channel = channel
        guard let script = channel.withUTF8({ Self.script(ofChannel: $0) }) else { return nil }
        self = script
    }

    /// An address, alone or in a browser's subscription, is scripted by what follows its last `/` or `=`.
    private static func script(ofChannel bytes: UnsafeBufferPointer<UInt8>) -> SimulatedScript? {
        if starts(bytes, subscription) {
            let address = bytes[subscription.utf8CodeUnitCount...].prefix { $0 != UInt8(ascii: "\"") }
            return script(of: lastPart(of: address))
        }
        return script(of: starts(bytes, "https://") ? lastPart(of: bytes[...]) : bytes)
    }

    /// How a browser's channel begins: the canonical JSON of its subscription.
    private static let subscription: StaticString = #"{"endpoint":""#

    private static func lastPart(of address: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
        let start = address.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
        return UnsafeBufferPointer(rebasing: start.map { address[($0 + 1)...] } ?? address)
    }

    /// The first byte decides for nearly every real token, so the rest is not looked at.
    private static func script(of bytes: UnsafeBufferPointer<UInt8>) -> SimulatedScript? {
        switch bytes.first {
        case UInt8(ascii: "o"): starts(bytes, "ok-") ? .accept : nil
        case UInt8(ascii: "d"): starts(bytes, "dead-") ? .dead : starts(bytes, "deny-") ? .deny : nil
        case UInt8(ascii: "r"): starts(bytes, "retry") ? number(in: bytes, from: 5).map { .retry(times: $0) } : nil
        case UInt8(ascii: "a"): starts(bytes, "after") ? number(in: bytes, from: 5).map { .after(seconds: $0) } : nil
        case UInt8(ascii: "l"): starts(bytes, "large-") ? .large : nil
        case UInt8(ascii: "h"): starts(bytes, "hang-") ? .hang : nil
        case UInt8(ascii: "m"): starts(bytes, "moved-") ? .moved : nil
        default: nil
        }
    }

    private static func starts(_ bytes: UnsafeBufferPointer<UInt8>, _ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { prefix in
            bytes.count >= prefix.count && bytes.prefix(prefix.count).elementsEqual(prefix)
        }
    }

    /// One to six digits and the hyphen after them.
    private static func number(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var value = 0
        for (count, byte) in bytes.dropFirst(start).prefix(7).enumerated() {
            guard byte != UInt8(ascii: "-") else { return count > 0 ? value : nil }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return nil
    }
}
