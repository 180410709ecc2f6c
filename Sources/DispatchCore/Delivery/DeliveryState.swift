/// Where one delivery stands; the raw value is what PostgreSQL stores and never changes.
///
/// A delivery has no row, hence no state, before its first attempt is answered. States only move forward: whatever is
/// final stays.
public enum DeliveryState: Int16, CaseIterable, Hashable, Sendable {
    /// Waits for its next attempt. Can transition to every state, itself included.
    case retrying = 1

    /// The gateway took the push. Final.
    case accepted = 2

    /// The gateway refused the push for good, or the attempts are used up. Final.
    case failed = 3

    /// The notification's time ran out first. Final.
    case expired = 4

    /// The device's user does not let it be shown. Final.
    case suppressed = 5

    /// The notification was cancelled first. Final.
    case cancelled = 6

    /// An ambiguous attempt that an at-most-once hub does not repeat. Final.
    case unknown = 7

    /// The spelling in events and views.
    public var name: String {
        switch self {
        case .retrying: "retrying"
        case .accepted: "accepted"
        case .failed: "failed"
        case .expired: "expired"
        case .suppressed: "suppressed"
        case .cancelled: "cancelled"
        case .unknown: "unknown"
        }
    }

    /// Finds the state spelled `name`, or nil when there is none.
    public init?(name: some StringProtocol) {
        guard let match = DeliveryState.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

    /// Whether the state is final.
    public var isTerminal: Bool { self != .retrying }

    /// Whether a delivery in this state may be found in `next` later.
    public func canTransition(to next: DeliveryState) -> Bool {
        !isTerminal
    }
}
