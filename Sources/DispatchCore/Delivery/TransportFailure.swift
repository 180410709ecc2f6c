/// The absence of an answer: the connection could not be made, or broke before the answer arrived.
public struct TransportFailure: Hashable, Sendable {
    /// A short word for the cause.
    public let reason: String

    /// Whether the gateway may have taken the push all the same; false only when that is certain.
    public let mayHaveBeenSent: Bool

    /// Describes one failure.
    public init(reason: String, mayHaveBeenSent: Bool) {
        self.reason = reason
        self.mayHaveBeenSent = mayHaveBeenSent
    }
}
