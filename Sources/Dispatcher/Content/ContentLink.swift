import Crypto
import DispatchCore

/// The address of a notification's content that needs no credentials: whoever has it may fetch until it expires.
///
/// It names the hub, the notification and the end, and nothing of any user.
struct ContentLink: Sendable, Equatable {
    let hub: String

    /// The notification, as the address spells it.
    let reference: String

    /// Seconds since 1970.
    let expires: Int64

    /// How long an address is good that somebody asked for.
    static let lifetime = Duration.seconds(86_400)

    /// The longest that the address in a push is good: as long as a platform keeps what it could not deliver.
    static let longestLifetime = Duration.seconds(28 * 86_400)

    /// What a device has left to fetch an attachment when it gets the push in its last moment.
    static let attachmentAllowance = Duration.seconds(3600)

    /// The path and the query, signed.
    func path(signedWith secret: [UInt8]) throws(CryptoError) -> String {
        let signature = Base64URL.encode(try code(secret))
        return "/api/notifications/\(reference)?expires=\(expires)&hub=\(hub)&signature=\(signature)"
    }

    /// Whether a signature was made with one of the secrets; all are tried, so the time tells nothing.
    func isSigned(_ signature: String, with secrets: [[UInt8]]) throws(CryptoError) -> Bool {
        var isSigned = false
        for secret in secrets {
            let expected = Array(Base64URL.encode(try code(secret)).utf8)
            if ConstantTime.areEqual(expected, Array(signature.utf8)) { isSigned = true }
        }
        return isSigned
    }

    /// The first line keeps these codes apart from any other that a secret may be used for.
    private func code(_ secret: [UInt8]) throws(CryptoError) -> [UInt8] {
        try HMACSHA256.code(of: Array("content\n\(hub)\n\(reference)\n\(expires)".utf8), key: secret)
    }
}
