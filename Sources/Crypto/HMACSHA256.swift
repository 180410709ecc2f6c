import COpenSSL

/// The message authentication code HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// The code of a message under a key.
    ///
    /// - Throws: `CryptoError` when the library gives none.
    public static func code(of message: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: SHA256.digestLength)
        var length: UInt32 = 0
        let keyLength = Int32(clamping: key.count)
        let result = HMAC(EVP_sha256(), key, keyLength, message, message.count, &code, &length)
        guard result != nil, Int(length) == code.count else { throw .failed(operation: "HMAC") }
        return code
    }
}
