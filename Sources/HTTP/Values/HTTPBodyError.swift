/// Why the rest of a body does not come.
public enum HTTPBodyError: Error, Sendable, Equatable {
    /// It has more octets than the policy allows; the client is answered with 413, whatever the handler returns.
    case tooLarge
    /// The client went away, was too slow, or broke the rules of chunks.
    case interrupted
    /// The task was cancelled, or another one is reading already.
    case cancelled
}
