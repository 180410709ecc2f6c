import DispatchCore

/// What the benchmark's gateway says.
enum BenchAnswers {
    /// Every delivery is taken.
    static func accepted(_ batch: BatchWork, now: Timestamp) -> [DeliveryResult] {
        batch.deliveries.map { decide(.accepted(gatewayID: nil), $0.notification, $0.target, now: now) }
    }

    /// Of ten deliveries one is to be tried again, at once, and one waits for a channel that is stopped.
    static func mixed(_ batch: BatchWork, hub: Hub, now: Timestamp) -> [DeliveryResult] {
        var generator = SystemDice()
        let key = ChannelKey(hub: hub.id, platform: .apns)
        let hold = ChannelHold(until: now + .seconds(3_600), reason: "bench", key: key)
        return batch.deliveries.enumerated().map { index, delivery in
            switch index % 10 {
            case 3:
                // Refused two hours ago, so that the time to try again has come.
                return decide(busy, delivery.notification, delivery.target, now: now + .seconds(-7_200))
            case 7:
                let end = delivery.notification.expiresAt
                return .parked(by: hold, attempts: 0, now: now, expiresAt: end, using: &generator)
            default:
                return decide(.accepted(gatewayID: nil), delivery.notification, delivery.target, now: now)
            }
        }
    }

    private static let busy = DeliveryOutcome.rejected(GatewayRejection(status: 503, reason: "ServiceUnavailable"))

    private static func decide(
        _ outcome: DeliveryOutcome,
        _ notification: NotificationWork,
        _ target: DeliveryTarget,
        now: Timestamp
    ) -> DeliveryResult {
        var generator = SystemDice()
        return .decide(
            outcome: outcome,
            platform: target.device?.platform ?? .apns,
            attempt: target.attempt,
            wasAmbiguous: false,
            policy: RetryPolicy(),
            now: now,
            expiresAt: notification.expiresAt,
            guarantee: .atLeastOnce,
            using: &generator
        )
    }
}

extension BatchWork {
    fileprivate var deliveries: [(notification: NotificationWork, target: DeliveryTarget)] {
        parts.flatMap { part in part.targets.map { (part.notification, $0) } }
    }
}
