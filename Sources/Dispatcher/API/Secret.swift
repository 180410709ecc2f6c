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
        let text = Data(try SecureRandom.bytes(32)).base64EncodedString()
        let safe = text.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }
}
