/// Why a request target is refused.
public enum HTTPTargetError: Error, Sendable, Equatable {
    /// It is neither a path nor an absolute http or https address.
    case notAPath
    /// It has an octet that an address may not carry, or a fragment.
    case invalidCharacter
    /// A percent sign is not followed by two hexadecimal digits.
    case badEscape
    /// A zero octet is written as `%00`.
    case zeroOctet
    /// Decoded, a segment or query item is not UTF-8.
    case notUTF8
    /// A segment is `.` or `..`, written plainly or with escapes.
    case dotSegment
}
