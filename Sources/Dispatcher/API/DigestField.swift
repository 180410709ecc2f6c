import Crypto
import FoundationEssentials
import HTTP

/// A Content-Digest field (RFC 9530): what the sender says the octets' SHA-256 is.
enum DigestField {
    /// The digest of the algorithm `sha-256`; nil without the field, or with other algorithms alone, which are ignored.
    ///
    /// - Throws: `Problem` for a digest that cannot be read.
    static func sha256(_ field: String?) throws(Problem) -> [UInt8]? {
        guard let field else { return nil }
        for item in field.split(separator: ",") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "sha-256" else { continue }
            let value = trimmed(parts[1])
            guard value.count >= 2, value.hasPrefix(":"), value.hasSuffix(":"),
                let digest = Data(base64Encoded: String(value.dropFirst().dropLast())),
                digest.count == SHA256.digestLength
            else {
                let detail = "Content-Digest must be like sha-256=:…:, with a SHA-256 in base64."
                throw Problem(.badRequest, "invalidFormat", detail, path: "Content-Digest")
            }
            return Array(digest)
        }
        return nil
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

    private static func trimmed(_ text: Substring) -> Substring {
        let head = text.drop { $0 == " " || $0 == "\t" }
        return head.prefix(head.count - head.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}
