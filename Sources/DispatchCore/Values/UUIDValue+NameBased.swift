extension UUIDValue {
    /// The identifier of a name: the beginning of its SHA-256 in the form that RFC 9562, section 5.8, leaves to anybody
    /// (version 8).
    public init(named name: String) {
        let bytes = SHA256Digest(of: name.utf8).bytes
        let words = [bytes[..<8], bytes[8..<16]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0] & ~0xF000 | 0x8000, low: words[1] & ~(3 << 62) | 2 << 62)
    }
}
