/// What an event says; the raw value is the last part of its type and of its routing key.
public enum EventKind: String, CaseIterable, Hashable, Sendable {
    /// The gateway took the push.
    case accepted

    /// The push was refused for good, or its attempts are used up.
    case failed

    /// The notification's time ran out before the push was sent.
    case expired

    /// The device's user does not let it be shown.
    case suppressed

    /// The notification was cancelled before the push was sent.
    case cancelled

    /// The gateway said that the device is gone, so the hub sends it nothing more.
    case retired

    /// The app fetched the content.
    case fetched

    /// It was shown.
    case displayed

    /// The user opened it.
    case read

    /// The user put it away.
    case dismissed

    /// The user chose a button.
    case action

    /// The user wrote an answer.
    case reply

    /// The event that a delivery causes when it comes into `state`; nil for those that nobody is told of.
    public init?(_ state: DeliveryState) {
        switch state {
        case .accepted: self = .accepted
        case .failed: self = .failed
        case .expired: self = .expired
        case .suppressed: self = .suppressed
        case .cancelled: self = .cancelled
        case .retrying, .unknown: return nil
        }
    }

    /// The event that a receipt causes.
    public init(_ kind: ReceiptKind) {
        switch kind {
        case .fetched: self = .fetched
        case .displayed: self = .displayed
        case .read: self = .read
        case .dismissed: self = .dismissed
        case .action: self = .action
        case .reply: self = .reply
        }
    }
}
