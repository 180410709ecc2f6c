/// Where devices reach the API, as the operator says: `DISPATCHER_PUBLIC_URL`.
struct PublicAddress: Sendable, Equatable {
    private let base: String

    /// Reads an address without query and fragment; a slash at its end is left out.
    init?(_ text: String) {
        let prefixes = ["https://", "http://"]
        guard let prefix = prefixes.first(where: { text.hasPrefix($0) }), text.utf8.count <= 512 else { return nil }
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        let isPlain = rest.allSatisfy { (0x21...0x7E).contains($0) && !"?#\"<>\\^`{|}".utf8.contains($0) }
        guard isPlain, let first = rest.first, first != UInt8(ascii: "/") else { return nil }
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The address of a path, which begins with a slash.
    func url(_ path: String) -> String { base + path }
}
