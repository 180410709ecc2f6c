/// What is known of a request before its body is read.
public struct HTTPRequestHead: Sendable {
    /// The method.
    public let method: HTTPMethod

    /// The request target.
    public let target: HTTPTarget

    /// The header fields as they were sent, names and values without blanks around them.
    public let headers: HTTPHeaders

    /// The address the connection comes from; behind a proxy that is the proxy.
    public let peer: HTTPPeer

    /// How the body is delimited.
    public let framing: HTTPBodyFraming

    /// Makes a head, for tests of handlers.
    public init(
        method: HTTPMethod,
        target: HTTPTarget,
        headers: HTTPHeaders = HTTPHeaders(),
        peer: HTTPPeer = HTTPPeer(octets: [127, 0, 0, 1], port: 0),
        framing: HTTPBodyFraming = .none
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.peer = peer
        self.framing = framing
    }
}
