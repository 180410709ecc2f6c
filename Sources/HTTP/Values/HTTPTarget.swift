/// A request target: the octets as they were sent, and what they mean.
///
/// The path is split at its slashes before it is decoded, so `a%2Fb` is one segment with the value `a/b`. Signatures
/// are verified over `raw`, which no layer has normalized.
public struct HTTPTarget: Sendable {
    /// The target exactly as it stood in the request line.
    public let raw: [UInt8]

    /// The octets of `raw` that are the path, escapes as they were sent.
    public let rawPath: ArraySlice<UInt8>

    /// The octets after the question mark; nil without one.
    public let rawQuery: ArraySlice<UInt8>?

    /// The decoded segments between the slashes; `/` is one empty segment, and so is what follows a slash at the end.
    public let segments: [String]

    /// The items of the query in their order, repeated names kept.
    public let query: [HTTPQueryItem]

    /// Reads a target.
    ///
    /// - Throws: `HTTPTargetError` for anything but a well-formed path or absolute address.
    public init(_ raw: [UInt8]) throws(HTTPTargetError) {
        guard raw.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { throw .invalidCharacter }
        let tail = try Self.withoutAuthority(raw)
        let mark = tail.firstIndex(of: UInt8(ascii: "?"))
        self.raw = raw
        rawPath = tail[..<(mark ?? tail.endIndex)]
        rawQuery = mark.map { tail[($0 + 1)...] }
        segments = try Self.segments(of: rawPath)
        query = try rawQuery.map { slice throws(HTTPTargetError) in try HTTPQueryItem.items(of: slice) } ?? []
    }

    /// Reads a target from text.
    ///
    /// - Throws: `HTTPTargetError` as the other initializer does.
    public init(_ text: String) throws(HTTPTargetError) {
        try self.init(Array(text.utf8))
    }

    /// The value of the first query item of a name.
    public func firstQueryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The values of all query items of a name, in order.
    public func queryValues(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// A server must accept the absolute form too (RFC 9112 section 3.2.2); its authority is not looked at.
    private static func withoutAuthority(_ raw: [UInt8]) throws(HTTPTargetError) -> ArraySlice<UInt8> {
        if raw.first == UInt8(ascii: "/") { return raw[...] }
        for scheme in ["http://", "https://"] where ASCII.isEqual(raw.prefix(scheme.utf8.count), scheme.utf8) {
            let rest = raw.dropFirst(scheme.utf8.count)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex else { break }
            return rest[slash...]
        }
        throw .notAPath
    }

    private static func segments(of path: ArraySlice<UInt8>) throws(HTTPTargetError) -> [String] {
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let text = try PercentEncoding.decode(segment)
            guard text != ".", text != ".." else { throw .dotSegment }
            segments.append(text)
        }
        return segments
    }
}
