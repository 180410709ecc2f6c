import HTTP

/// What a token is good for: an address, and everything below it.
///
/// Scheme and port are not compared, and letters without their case: clients write them as they like. A query, where one
/// was signed, must be that of the request.
struct SignedResource: Sendable, Equatable {
    let host: String
    /// Without a slash at the end.
    let path: String
    let query: String?

    /// Reads an address; nil when it has no scheme or no host.
    init?(_ address: String) {
        let text = Self.lowercased(address.utf8)
        guard let scheme = ["http://", "https://", "sb://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        host = Self.host(ofAuthority: String(authority))
        let tail = rest.dropFirst(authority.count)
        let path = tail.prefix { $0 != "?" }
        query = tail.count > path.count ? String(tail.dropFirst(path.count + 1)) : nil
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
        guard !host.isEmpty else { return nil }
    }

    /// Whether the request is for it or for something below it.
    func covers(_ head: HTTPRequestHead) -> Bool {
        guard Self.host(ofAuthority: Self.lowercased((head.headers["Host"] ?? "").utf8)) == host else { return false }
        let wanted = Self.lowercased(head.target.rawPath)
        guard wanted == path || wanted.hasPrefix(path + "/") else { return false }
        guard let query else { return true }
        return query == Self.lowercased(head.target.rawQuery ?? [])
    }

    private static func host(ofAuthority text: String) -> String {
        if text.first == "[" { return String(text.prefix { $0 != "]" }) + "]" }
        return String(text.prefix { $0 != ":" })
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        let lowered = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return String(decoding: lowered, as: UTF8.self)
    }
}
