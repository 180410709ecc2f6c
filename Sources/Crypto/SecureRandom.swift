import COpenSSL

/// Octets that nobody can foretell.
public enum SecureRandom {
    /// As many octets as wanted from the library's generator.
    ///
    /// - Throws: `CryptoError` when the generator has no seed.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // "RAND_bytes() ... return 1 on success": anything else leaves octets that must not be used.
        guard RAND_bytes(&bytes, Int32(clamping: count)) == 1 else { throw .failed(operation: "random octets") }
        return bytes
    }
}
