extension APNsRenderer {
    /// Apple's limit of `apns-collapse-id`, in UTF-8 bytes.
    static let collapseIDLimit = 64

    /// The key itself where it fits, else the unpadded base64url of its SHA-256 (43 bytes).
    ///
    /// RFC 9113, section 8.2.1: a field's value must not hold control characters, nor begin or end with white space; a
    /// key that does is hashed too.
    static func collapseID(for key: String?) -> String? {
        guard let key else { return nil }
        let isSafe = key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && key.utf8.first != 0x20 && key.utf8.last != 0x20
        return isSafe && key.utf8.count <= collapseIDLimit ? key : SHA256Digest(of: key.utf8).base64URL
    }
}
