/// The pieces of an AMQP URL, percent-decoded.
struct AMQPURLParts {
    private(set) var scheme = ""
    private(set) var user: String?
    private(set) var password: String?
    private(set) var host = ""
    private(set) var port: Int?
    private(set) var path = ""
    private(set) var query: [String: String] = [:]

    init(_ url: String) throws(AMQPError) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { throw Self.error("no scheme") }
        scheme = url[..<colon].lowercased()
        guard scheme == "amqp" || scheme == "amqps" else { throw Self.error("the scheme must be amqp or amqps") }
        guard !url.contains("#") else { throw Self.error("a fragment or an unencoded # is not allowed") }
        let halves = url[url.index(colon, offsetBy: 3)...].split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let location = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        try readAuthority(location[0])
        if location.count > 1 { try readPath(location[1]) }
        if halves.count > 1 { try readQuery(halves[1]) }
    }

    private mutating func readAuthority(_ text: Substring) throws(AMQPError) {
        var address = text
        if let at = text.lastIndex(of: "@") {
            let login = text[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try Self.decoded(login[0], "user")
            password = try login.count > 1 ? Self.decoded(login[1], "password") : nil
            address = text[text.index(after: at)...]
        }
        try readAddress(address)
    }

    private mutating func readAddress(_ text: Substring) throws(AMQPError) {
        var rest = text
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { throw Self.error("unterminated IPv6 address") }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = try Self.decoded(text[..<end], "host")
            rest = text[end...]
        }
        if host.isEmpty { throw Self.error("no host") }
        guard !rest.isEmpty else { return }
        guard rest.first == ":", let number = Int(rest.dropFirst()), (1...65_535).contains(number) else {
            throw Self.error("the port must be 1 to 65535")
        }
        port = number
    }

    private mutating func readPath(_ text: Substring) throws(AMQPError) {
        guard !text.contains("/") else { throw Self.error("a / in the virtual host must be written %2F") }
        path = try Self.decoded(text, "virtual host")
        guard path.utf8.count <= 255 else { throw Self.error("virtual host longer than 255 octets") }
    }

    private mutating func readQuery(_ text: Substring) throws(AMQPError) {
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, ["cacert", "cert", "key", "heartbeat"].contains(pair[0]) else {
                throw Self.error("unknown option, allowed are cacert, cert, key and heartbeat")
            }
            query[String(pair[0])] = try Self.decoded(pair[1], "option")
        }
    }

    private static func decoded(_ text: Substring, _ part: String) throws(AMQPError) -> String {
        var bytes: [UInt8] = []
        var source = Array(text.utf8)[...]
        while let byte = source.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let pair = String(validating: source.prefix(2), as: UTF8.self), pair.utf8.count == 2,
                pair.allSatisfy(\.isHexDigit), let value = UInt8(pair, radix: 16)
            else { throw error("bad percent-encoding in the \(part)") }
            bytes.append(value)
            source = source.dropFirst(2)
        }
        // A NUL would cut the text short when it becomes a C string.
        guard !bytes.contains(0), let result = String(validating: bytes, as: UTF8.self) else {
            throw error("the \(part) is not text")
        }
        return result
    }

    private static func error(_ reason: String) -> AMQPError {
        AMQPError(.invalidURL, operation: "url", reason: reason)
    }
}
