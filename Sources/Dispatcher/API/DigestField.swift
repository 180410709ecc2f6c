import Crypto
import FoundationEssentials
import HTTP

/// A Content-Digest field (RFC 9530): what the sender says the octets' SHA-256 is.
enum DigestField {
    /// The longest field that is read.
    private static let limit = 1024

    /// The digest of the algorithm `sha-256`; nil without the field, or with other algorithms alone, which are ignored.
    ///
    /// - Throws: `Problem` for a field that cannot be read: who sends one wants to be sure.
    static func sha256(_ field: String?) throws(Problem) -> [UInt8]? {
        guard let field else { return nil }
        guard field.utf8.count <= limit else { throw malformed }
        var found: [UInt8]?
        for item in field.split(separator: ",", omittingEmptySubsequences: false) {
            let (algorithm, digest) = try member(item)
            guard algorithm == "sha-256" else { continue }
            guard digest.count == SHA256.digestLength else { throw malformed }
            found = digest
        }
        return found
    }

    /// Refuses octets that are not what their sender says.
    static func check(_ digest: [UInt8], against wanted: [UInt8]?) throws(Problem) {
        guard let wanted, wanted != digest else { return }
        throw Problem(
            .badRequest,
            "checksumMismatch",
            "What came is not what Content-Digest says.",
            path: "Content-Digest"
        )
    }

    /// A name, an equals sign, and octets in base64 between colons.
    private static func member(_ item: Substring) throws(Problem) -> (algorithm: String, digest: [UInt8]) {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isNameByte), parts[1].utf8.count >= 2,
            parts[1].hasPrefix(":"), parts[1].hasSuffix(":"),
            let digest = Data(base64Encoded: String(parts[1].dropFirst().dropLast()))
        else { throw malformed }
        return (parts[0].lowercased(), Array(digest))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.*".utf8.contains(byte)
        }
    }

    private static var malformed: Problem {
        let detail = "Content-Digest must be like sha-256=:…:, with a SHA-256 in base64."
        return Problem(.badRequest, "invalidFormat", detail, path: "Content-Digest")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let head = text.drop { $0 == " " || $0 == "\t" }
        return head.prefix(head.count - head.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}
