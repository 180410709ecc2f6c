import COpenSSL

/// SHA-256 of octets that come in pieces.
///
/// It is used by one task at a time.
public final class SHA256Hash {
    private let context: OpaquePointer

    /// Begins.
    ///
    /// - Throws: `CryptoError` when the library does not.
    public init() throws(CryptoError) {
        guard let context = EVP_MD_CTX_new() else { throw .failed(operation: "SHA-256") }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .failed(operation: "SHA-256")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes the next piece.
    ///
    /// - Throws: `CryptoError` when the library does not.
    public func update(_ bytes: [UInt8]) throws(CryptoError) {
        guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw .failed(operation: "SHA-256") }
    }

    /// The digest of everything; nothing more can be taken then.
    ///
    /// - Throws: `CryptoError` when the library gives none.
    public func finish() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
        var length: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &length) == 1, Int(length) == digest.count else {
            throw .failed(operation: "SHA-256")
        }
        return digest
    }
}
