import DispatchCore

/// Answers made up for the tests of channels.
enum ChannelExample {
    static let start = Timestamp(seconds: 1_790_000_000)
    static let key = ChannelKey(hub: 1, platform: .apns, target: "com.example.app")

    static func rejected(_ status: Int, _ reason: String, retryAfter: Duration? = nil) -> DeliveryOutcome {
        .rejected(GatewayRejection(status: status, reason: reason, retryAfter: retryAfter))
    }

    static let accepted = DeliveryOutcome.accepted(gatewayID: nil)
    static let unavailable = rejected(503, "ServiceUnavailable")
    static let refused = rejected(403, "InvalidProviderToken")
    static let suspect = rejected(400, "BadDeviceToken")
    static let device = rejected(429, "TooManyRequests", retryAfter: .seconds(30))

    static func gone(since: Timestamp?) -> DeliveryOutcome {
        .rejected(GatewayRejection(status: 410, reason: "Unregistered", invalidSince: since))
    }

    static func result(
        _ outcome: DeliveryOutcome,
        on platform: Platform = .apns,
        attempt: Int = 1,
        at now: Timestamp = start
    ) -> DeliveryResult {
        var random = SplitMix(seed: 1)
        return .decide(
            outcome: outcome,
            platform: platform,
            attempt: attempt,
            wasAmbiguous: false,
            policy: RetryPolicy(),
            now: now,
            expiresAt: nil,
            guarantee: .atLeastOnce,
            using: &random
        )
    }

    /// A batch's answers: so many of each.
    static func report(
        _ answers: [(Int, DeliveryOutcome)],
        on key: ChannelKey = key,
        attempt: Int = 1,
        at now: Timestamp = start
    ) -> ChannelReport {
        var report = ChannelReport(key)
        for (count, outcome) in answers {
            let result = result(outcome, on: key.platform, attempt: attempt, at: now)
            for _ in 0..<count { report.add(result, attempt: attempt, now: now) }
        }
        return report
    }
}

extension ChannelChange {
    /// The pause that it imposes.
    var pause: ChannelPause? {
        switch self {
        case .open(let pause), .reopen(let pause): pause
        case .close: nil
        }
    }
}
