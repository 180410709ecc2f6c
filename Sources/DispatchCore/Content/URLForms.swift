/// The forms of addresses; nothing is asked of the network.
enum URLForms {
    /// A scheme, a colon, and something without white space and control characters.
    static func isAbsolute(_ text: String) -> Bool {
        guard IdentifierRules.isUnbroken(text), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, NameForms.isLetter(first) else { return false }
        return scheme.allSatisfy { NameForms.isLetterOrDigit($0) || "+-.".utf8.contains($0) }
            && text.utf8.index(after: colon) < text.utf8.endIndex
    }

    /// The same with the scheme https and a host.
    static func isSecure(_ text: String) -> Bool {
        let prefix = "https://"
        return isAbsolute(text) && text.lowercased().hasPrefix(prefix)
            && text.utf8.dropFirst(prefix.utf8.count).first.map { !"/?#".utf8.contains($0) } ?? false
    }
}
