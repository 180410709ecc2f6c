import DispatchCore

/// The kinds of answer the simulated gateway gives; each platform has its own words for them.
enum SimulatedAnswer: Hashable, Sendable {
    /// Taken.
    case accepted

    /// Taken, and another channel is to be used from now on.
    case moved(to: String)

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
    ///
    /// `retryAfter` is what a gateway that is overloaded, or whose limit is used up, asks for instead of its usual.
    func outcome(
        on platform: Platform,
        retryAfter: Duration? = nil,
        now: () -> Timestamp
    ) -> DeliveryOutcome? {
        switch self {
        case .accepted: .accepted(gatewayID: nil)
        case .moved(let channel): .accepted(gatewayID: nil, newChannel: channel)
        case .hang: nil
        case .unregistered: rejection(on: platform, since: platform == .apns ? now() : nil)
        case .throttled(let seconds): rejection(on: platform, retryAfter: retryAfter ?? .seconds(seconds))
        case .unavailable: rejection(on: platform, retryAfter: retryAfter)
        case .tooLarge, .failed, .denied: rejection(on: platform)
        }
    }

    private func rejection(
        on platform: Platform,
        retryAfter: Duration? = nil,
        since: Timestamp? = nil
    ) -> DeliveryOutcome {
        let (status, reason) = words(on: platform)
        let rejection = GatewayRejection(status: status, reason: reason, retryAfter: retryAfter, invalidSince: since)
        return .rejected(rejection)
    }

    private func words(on platform: Platform) -> (status: Int, reason: String) {
        switch platform {
        case .apns: apnsWords
        case .fcmV1: fcmWords
        case .browser: browserWords
        case .wns: wnsWords
        case .adm: admWords
        case .hms: hmsWords
        }
    }
}
