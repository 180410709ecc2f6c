/// Certificate and key of a server that speaks TLS 1.2 or 1.3.
public struct HTTPTransportSecurity: Sendable, CustomStringConvertible {
    /// The certificate in PEM form, with the intermediate ones after it.
    public let certificate: [UInt8]

    /// The private key in PEM form, without a passphrase.
    let privateKey: [UInt8]

    /// Makes a pair of the contents of two PEM files.
    public init(certificate: [UInt8], privateKey: [UInt8]) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Says nothing of the key.
    public var description: String { "TLS with a certificate of \(certificate.count) octets" }
}
