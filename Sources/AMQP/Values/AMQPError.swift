/// Why something with the broker failed; every field is safe to log.
public struct AMQPError: Error, Sendable, Hashable {
    /// The kinds of failure a caller may want to tell apart.
    public enum Code: String, Sendable, Hashable {
        /// The endpoint URL cannot be used.
        case invalidURL
        /// A name or value the protocol cannot carry.
        case invalidArgument
        /// Name resolution or the TCP connection failed.
        case connectFailed
        /// The TLS handshake or the verification of the peer failed.
        case tlsFailed
        /// Wrong credentials or missing permission (403), or no such virtual host (530).
        case accessRefused
        /// The queue or exchange does not exist (404).
        case notFound
        /// Other arguments than declared, or an unknown delivery tag (406).
        case preconditionFailed
        /// Another connection holds it exclusively (405).
        case resourceLocked
        /// No answer in time, missed heartbeats included.
        case timedOut
        /// The socket is gone.
        case connectionLost
        /// The broker closed the connection.
        case connectionClosed
        /// The broker closed the channel.
        case channelClosed
        /// A frame that does not fit, or a library failure.
        case protocolViolation
        /// The client was stopped.
        case stopped
    }

    /// The kind of failure.
    public let code: Code
    /// What was being done, such as `basic.consume`.
    public let operation: String
    /// The broker's or the library's words, control characters removed.
    public let reason: String
    /// The broker's reply code (404, 406), nil when the failure was local.
    public let replyCode: Int?

    init(_ code: Code, operation: String, reason: String, replyCode: Int? = nil) {
        self.code = code
        self.operation = operation
        self.reason = Self.printable(reason)
        self.replyCode = replyCode
    }

    /// Whether the same call may succeed later without anyone changing the configuration.
    public var isRetryable: Bool {
        switch code {
        case .invalidURL, .invalidArgument, .accessRefused, .preconditionFailed, .tlsFailed, .stopped: false
        case .connectFailed, .notFound, .resourceLocked, .timedOut: true
        case .connectionLost, .connectionClosed, .channelClosed, .protocolViolation: true
        }
    }

    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(300).map { $0.value < 32 || $0.value == 127 ? " " : $0 }
            )
        )
    }
}

extension AMQPError: CustomStringConvertible {
    /// Operation, kind and reason on one line, without secrets.
    public var description: String {
        "\(operation): \(code.rawValue): \(reason)"
    }
}
