/// What a retry policy says about an attempt that did not end the delivery.
public enum RetryDecision: Hashable, Sendable {
    /// Try again at this instant, which is before the expiry.
    case at(Timestamp)

    /// Do not try again, for this reason.
    case giveUp(reason: String)

    /// No attempt fits in before the expiry.
    case expired
}
