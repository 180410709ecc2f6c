/// What happens to an attempt of which nobody knows whether the gateway took it.
public enum DeliveryGuarantee: String, CaseIterable, Hashable, Sendable {
    /// It is sent again, flagged as ambiguous.
    case atLeastOnce = "at-least-once"

    /// It is closed as unknown.
    case atMostOnce = "at-most-once"
}
