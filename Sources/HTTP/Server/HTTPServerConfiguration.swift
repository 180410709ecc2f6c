/// Where a server listens and what it allows a client.
public struct HTTPServerConfiguration: Sendable {
    /// The numeric IPv4 or IPv6 address to listen on; `::` takes both kinds.
    public var host = "127.0.0.1"

    /// The port; 0 takes a free one, which `HTTPServer.boundPort` tells.
    public var port: UInt16 = 0

    /// Threads that poll sockets, read requests and write responses.
    public var threads = 2

    /// The most connections at a time; further ones are closed at once.
    ///
    /// Each has a descriptor and, once it was used, some 16 KiB; the process must be allowed as many descriptors.
    public var connectionLimit = 4096

    /// The most connections from one address; 0 for no such limit.
    public var connectionsPerAddressLimit = 0

    /// The most octets of request line and header fields; beyond it the answer is 431 (414 for the line alone).
    public var headerLimit = 8 * 1024

    /// How long a connection may be silent, between requests and within one.
    public var idleTimeout = Duration.seconds(60)

    /// How long a whole request may take to arrive, however steadily its octets trickle in.
    public var receiveTimeLimit = Duration.seconds(30)

    /// How long a handler may take once the request is there; then it is cancelled and the answer is 503.
    public var handlerTimeLimit = Duration.seconds(30)

    /// How long a client may take to read a response, however steadily it reads.
    public var sendTimeLimit = Duration.seconds(600)

    /// How long `stop` lets running requests finish.
    public var drainTimeLimit = Duration.seconds(10)

    /// TLS, or nil for plain HTTP.
    public var transportSecurity: HTTPTransportSecurity?

    /// Makes a configuration of the defaults.
    public init() {}

    /// The first thing that cannot be, if any.
    var fault: String? {
        if threads < 1 || threads > 64 { return "threads must be 1 to 64" }
        if connectionLimit < threads { return "connectionLimit must be no less than threads" }
        if connectionsPerAddressLimit < 0 { return "connectionsPerAddressLimit must not be negative" }
        if headerLimit < 1024 || headerLimit > 256 * 1024 { return "headerLimit must be 1 KiB to 256 KiB" }
        for time in [idleTimeout, receiveTimeLimit, handlerTimeLimit, sendTimeLimit]
        where time <= .zero || time > .seconds(86_400) {
            return "times must be positive and no more than a day"
        }
        if drainTimeLimit < .zero { return "drainTimeLimit must not be negative" }
        return nil
    }
}
