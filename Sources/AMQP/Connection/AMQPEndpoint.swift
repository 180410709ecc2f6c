/// Where a broker is and how to log in: `amqp://user:password@host:port/vhost`.
///
/// `amqps://` adds TLS 1.2 or later with verification of the certificate and the host name, which cannot be turned
/// off; `?cacert=…&cert=…&key=…` name PEM files. With `cert` and without a user the certificate is the login
/// (EXTERNAL). `?heartbeat=…` sets the seconds between heartbeats. Parts may be percent-encoded, so the virtual host
/// `/` is written as nothing, `/` or `/%2F`.
public struct AMQPEndpoint: Sendable {
    /// The host name or address.
    public let host: String
    /// The TCP port.
    public let port: Int
    /// The virtual host.
    public let virtualHost: String
    /// The login name.
    public let user: String
    /// Whether the connection is encrypted.
    public let usesTLS: Bool

    let password: String
    let certificateAuthorities: String
    let clientCertificate: String?
    let clientKey: String?
    let usesExternalLogin: Bool
    var tuning = AMQPTuning()
    /// Shared by all copies.
    let gate = ReconnectGate()

    /// Parses an endpoint.
    ///
    /// - Throws: `invalidURL`, whose reason never repeats the URL.
    public init(url: String) throws(AMQPError) {
        let parts = try AMQPURLParts(url)
        usesTLS = parts.scheme == "amqps"
        host = parts.host
        port = parts.port ?? (usesTLS ? 5671 : 5672)
        virtualHost = parts.path.isEmpty ? "/" : parts.path
        clientCertificate = parts.query["cert"]
        clientKey = parts.query["key"]
        certificateAuthorities = parts.query["cacert"] ?? "/etc/ssl/certs/ca-certificates.crt"
        usesExternalLogin = parts.user == nil && clientCertificate != nil
        user = parts.user ?? (usesExternalLogin ? "" : "guest")
        password = parts.password ?? (parts.user == nil ? "guest" : "")
        if let text = parts.query["heartbeat"] { tuning.heartbeat = try Self.heartbeat(text) }
        try checkFiles()
    }

    private static func heartbeat(_ text: String) throws(AMQPError) -> Int {
        guard let seconds = Int(text), (1...600).contains(seconds) else {
            throw AMQPError(.invalidURL, operation: "url", reason: "heartbeat must be 1 to 600 seconds")
        }
        return seconds
    }

    private func checkFiles() throws(AMQPError) {
        guard (clientCertificate == nil) == (clientKey == nil) else {
            throw AMQPError(.invalidURL, operation: "url", reason: "cert and key belong together")
        }
        guard usesTLS || clientCertificate == nil else {
            throw AMQPError(.invalidURL, operation: "url", reason: "cert and key need amqps")
        }
    }
}

extension AMQPEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The endpoint without the password.
    public var description: String {
        "\(usesTLS ? "amqps" : "amqp")://\(user)@\(host):\(port)/\(virtualHost == "/" ? "" : virtualHost)"
    }

    /// The same as `description`: a debugger's print must not reveal the password either.
    public var debugDescription: String {
        description
    }

    /// Nothing to reflect: `dump` must not reveal the password either.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}
