/// How the body of a request is delimited (RFC 9112 section 6).
public enum HTTPBodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// It has this many octets.
    case length(UInt64)
    /// It comes in chunks and ends with an empty one.
    case chunked

    /// Whether octets of a body may follow the header.
    public var hasBody: Bool {
        switch self {
        case .none, .length(0): false
        case .length, .chunked: true
        }
    }
}
