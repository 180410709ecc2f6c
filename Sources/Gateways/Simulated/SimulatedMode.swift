/// What the simulated gateway does at the moment to a share of the pushes of a platform, instead of the usual.
public struct SimulatedMode: Hashable, Sendable {
    /// The kinds of trouble; the raw value is what a mode file says.
    public enum Answer: String, CaseIterable, Hashable, Sendable {
        /// None: the usual answer, perhaps with another latency.
        case usual = "ok"

        /// Refused as by an overloaded gateway.
        case unavailable

        /// Refused because the limit is used up.
        case throttled

        /// Refused because of the hub's credential.
        case refuse

        /// Refused because the device's push channel is dead, as of now.
        case dead

        /// Not taken, and never answered.
        case hang

        /// Not taken, and the connection breaks before the answer.
        case drop

        /// Taken where it is usually taken, and the connection breaks before the answer.
        case acceptThenDrop = "accept-then-drop"
    }

    /// What happens.
    public var answer: Answer

    /// The share of attempts to which it happens, drawn by seed, channel and attempt.
    public var share = 1.0

    /// What the field `Retry-After` of a refusal as unavailable or throttled has; the latter's is 1 without it.
    public var retryAfter: String?

    /// How long each answer of the platform takes, in place of the configured latency; it knows no share.
    public var latency: Duration?

    /// Makes a mode that concerns every push.
    public init(_ answer: Answer) {
        self.answer = answer
    }
}
