import Crypto
import FoundationEssentials

/// Secrets that the hub makes: 256 bits of chance.
enum Secret {
    /// A key's, in the form of Azure's: 44 characters of base64.
    static func forKey() throws(CryptoError) -> String {
        Data(try SecureRandom.bytes(32)).base64EncodedString()
    }

    /// A device's: 43 characters that need no escape anywhere, and without a colon, as Basic demands.
    static func forDevice() throws(CryptoError) -> String {
        Base64URL.encode(try SecureRandom.bytes(32))
    }
}
