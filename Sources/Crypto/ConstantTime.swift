import COpenSSL

/// Comparisons whose time says nothing of where two values differ.
public enum ConstantTime {
    /// Whether two values are the same octets; only their lengths show in the time it takes.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // "CRYPTO_memcmp() ... takes an amount of time dependent on len, but independent of the contents" of both.
        return CRYPTO_memcmp(left, right, left.count) == 0
    }
}
