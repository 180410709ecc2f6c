import DispatchCore

/// The kinds of answer the simulated gateway gives; each platform has its own words for them.
enum SimulatedAnswer: Hashable, Sendable {
    /// Taken.
    case accepted

    /// The channel is dead.
    case unregistered

    /// The payload is over the limit.
    case tooLarge

    /// The request is wrong.
    case failed

    /// The gateway is overloaded.
    case unavailable

    /// Too many pushes; wait.
    case throttled(seconds: Int)

    /// The hub's credential is refused.
    case denied

    /// Silence.
    case hang

    /// The answer on the wire, nil for silence; `now` is when a dead channel died.
    func outcome(on platform: Platform, now: () -> Timestamp) -> DeliveryOutcome? {
        switch self {
        case .accepted: return .accepted(gatewayID: nil)
        case .hang: return nil
        case .throttled(let seconds):
            let reason = platform == .fcmV1 ? "QUOTA_EXCEEDED" : "TooManyRequests"
            return .rejected(GatewayRejection(status: 429, reason: reason, retryAfter: .seconds(seconds)))
        case .unregistered:
            // Only APNs says since when.
            let since = platform == .apns ? now() : nil
            let (status, reason) = words(on: platform)
            return .rejected(GatewayRejection(status: status, reason: reason, invalidSince: since))
        case .tooLarge, .failed, .unavailable, .denied:
            let (status, reason) = words(on: platform)
            return .rejected(GatewayRejection(status: status, reason: reason))
        }
    }

    private func words(on platform: Platform) -> (status: Int, reason: String) {
        let isFCM = platform == .fcmV1
        return switch self {
        case .unregistered: isFCM ? (404, "UNREGISTERED") : (410, "Unregistered")
        case .tooLarge: isFCM ? (400, "INVALID_ARGUMENT(size)") : (413, "PayloadTooLarge")
        case .failed: isFCM ? (400, "INVALID_ARGUMENT") : (400, "BadMessageId")
        case .unavailable: isFCM ? (503, "UNAVAILABLE") : (503, "ServiceUnavailable")
        case .denied: isFCM ? (403, "PERMISSION_DENIED") : (403, "InvalidProviderToken")
        case .throttled: isFCM ? (429, "QUOTA_EXCEEDED") : (429, "TooManyRequests")
        case .accepted, .hang: (200, "")
        }
    }
}
