import Crypto
import DispatchCore
import FoundationEssentials

/// A signed token in the form of Azure's services: `sr=…&sig=…&se=…&skn=…`, in any order.
///
/// The signature is over the resource as it was sent, escapes and all, so the octets are kept.
struct SharedAccessSignature: Sendable {
    let keyName: String
    /// The resource as it was sent.
    let resource: [UInt8]
    /// The resource without its escapes.
    let plainResource: String
    let signature: [UInt8]
    /// The expiry as it was sent.
    let expiryText: [UInt8]
    let expiry: Timestamp

    /// Reads what stands after the scheme; nil for anything else than the four parts, each once.
    init?(_ text: some Collection<UInt8>) {
        var parts: [String: [UInt8]] = [:]
        for item in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: item[..<equals], as: UTF8.self)
            guard parts.updateValue(Array(item[item.index(after: equals)...]), forKey: name) == nil else { return nil }
        }
        guard parts.count == 4, let resource = parts["sr"], let expiry = parts["se"] else { return nil }
        guard let name = Self.decoded(parts["skn"]), let plain = Self.decoded(resource) else { return nil }
        guard let code = Self.decoded(parts["sig"]), let signature = Data(base64Encoded: code) else { return nil }
        guard (1...12).contains(expiry.count), expiry.allSatisfy({ (48...57).contains($0) }) else { return nil }
        guard let seconds = Int64(String(decoding: expiry, as: UTF8.self)) else { return nil }
        keyName = name
        self.resource = resource
        plainResource = plain
        self.signature = Array(signature)
        expiryText = expiry
        self.expiry = Timestamp(seconds: seconds)
    }

    /// Whether the signature was made with the secret.
    func isSigned(with secret: String) throws(CryptoError) -> Bool {
        let code = try HMACSHA256.code(of: resource + [UInt8(ascii: "\n")] + expiryText, key: Array(secret.utf8))
        return ConstantTime.areEqual(code, signature)
    }

    /// Undoes escapes; a plus sign stays one, as base64 has it.
    private static func decoded(_ bytes: [UInt8]?) -> String? {
        guard let bytes else { return nil }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2]) else {
                return nil
            }
            result.append(high << 4 | low)
            index += 3
        }
        // The database cannot hold a zero octet, so no key has one.
        return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
