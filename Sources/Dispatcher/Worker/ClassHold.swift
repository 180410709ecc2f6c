import DispatchCore

/// Why the rules of its class keep a delivery from being sent now.
enum ClassHold: Sendable, Equatable {
    case quiet(until: Timestamp)
    case dropped
    case capped

    private static let quietReason = "QuietHours"

    func result(attempts: Int, expiresAt: Timestamp) -> DeliveryResult {
        switch self {
        case .quiet(let until):
            .deferred(until: until, reason: Self.quietReason, attempts: attempts, expiresAt: expiresAt)
        case .dropped: .ended(.suppressed, reason: Self.quietReason, attempts: attempts)
        case .capped: .ended(.suppressed, reason: "CapReached", attempts: attempts)
        }
    }
}
