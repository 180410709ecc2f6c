import COpenSSL

/// The hash function SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Octets of a digest.
    public static let digestLength = 32

    /// The digest of the octets.
    ///
    /// - Throws: `CryptoError` when the library gives none.
    public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestLength)
        guard COpenSSL.SHA256(bytes, bytes.count, &digest) != nil else { throw .failed(operation: "SHA-256") }
        return digest
    }
}
