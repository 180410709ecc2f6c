import FoundationEssentials

/// What an Authorization field holds.
enum Credential: Sendable {
    /// A service's signed token.
    case signature(SharedAccessSignature)
    /// A device's secret, and its installation id where the client said it.
    case device(secret: [UInt8], installation: [UInt8]?)

    /// Reads a field; nil for anything that cannot be a credential.
    init?(_ field: [UInt8]) {
        guard let space = field.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let value = field[(space + 1)...].drop { $0 == UInt8(ascii: " ") }
        switch String(decoding: field[..<space], as: UTF8.self).lowercased() {
        case "sharedaccesssignature":
            guard let token = SharedAccessSignature(value) else { return nil }
            self = .signature(token)
        case "bearer": self = .device(secret: Array(value), installation: nil)
        case "basic":
            guard let pair = Data(base64Encoded: String(decoding: value, as: UTF8.self)) else { return nil }
            let bytes = Array(pair)
            // The user's name has no colon by RFC 7617, but an installation's id may, and a secret has none.
            guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
            self = .device(secret: Array(bytes[(colon + 1)...]), installation: Array(bytes[..<colon]))
        default: return nil
        }
    }
}
