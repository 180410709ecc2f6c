/// A request as a handler gets it.
public struct HTTPRequest: Sendable {
    /// The body, as the policy asked for it.
    public enum Body: Sendable {
        /// All of it; empty when there is none.
        case bytes([UInt8])
        /// As it comes.
        case stream(HTTPBodyStream)
    }

    /// Method, target and header fields.
    public let head: HTTPRequestHead

    /// The body.
    public let body: Body

    /// Makes a request, for tests of handlers.
    public init(head: HTTPRequestHead, body: Body = .bytes([])) {
        self.head = head
        self.body = body
    }

    /// The method.
    public var method: HTTPMethod { head.method }

    /// The target.
    public var target: HTTPTarget { head.target }

    /// The header fields.
    public var headers: HTTPHeaders { head.headers }

    /// The collected body; empty for a streamed one.
    public var bytes: [UInt8] {
        switch body {
        case .bytes(let bytes): bytes
        case .stream: []
        }
    }
}
