/// A numeric address and a port to listen on.
struct ListenAddress: Sendable, Equatable {
    let host: String
    let port: UInt16

    /// Reads `127.0.0.1:8080` or `[::]:8080`; nil when the text is neither.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.host = String(host.dropFirst().dropLast())
        } else {
            guard !host.isEmpty, !host.contains(":") else { return nil }
            self.host = String(host)
        }
        self.port = port
    }

    /// Whether only this machine reaches it.
    var isLoopback: Bool { LoopbackAddress.contains(host) }
}
