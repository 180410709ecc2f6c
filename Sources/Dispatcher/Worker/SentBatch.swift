import DispatchCore

/// A batch as it was handed to the gateway: where each request stands in it, and what was decided without asking.
///
/// Pure: outcomes, time and dice are passed in.
struct SentBatch: Sendable {
    let batch: BatchWork

    /// Where in the batch each request of the exchange stands.
    let positions: [Int]

    /// Decisions made before sending, by position in the batch.
    let settled: [DeliveryResult?]
    let policy: RetryPolicy

    /// The decisions by position, given the outcome of each request; nil where the gateway has not answered.
    ///
    /// With `isFinal`, what is unanswered is decided as a lost answer: it may have been sent.
    func results(
        of outcomes: [DeliveryOutcome?],
        isFinal: Bool,
        now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> [DeliveryResult?] {
        let decider = OutcomeDecider(policy: policy, wasAmbiguous: batch.isAmbiguous, now: now)
        var results = settled
        var position = 0
        var request = 0
        for part in batch.parts {
            for target in part.targets {
                defer { position += 1 }
                guard request < positions.count, positions[request] == position else { continue }
                defer { request += 1 }
                guard let outcome = outcomes[request] ?? (isFinal ? .unanswered : nil) else { continue }
                results[position] = decider.decide(
                    outcome,
                    target: target,
                    notification: part.notification,
                    using: &generator
                )
            }
        }
        return results
    }

    /// Splits off what is unanswered: the batch that remains, and its own view of the same exchange.
    func remaining(after results: [DeliveryResult?]) -> BatchWork? {
        var position = 0
        var remaining = batch.atNextEpoch
        remaining.parts = batch.parts.compactMap { part in
            let targets = part.targets.filter { _ in
                defer { position += 1 }
                return results[position] == nil
            }
            return targets.isEmpty ? nil : BatchWork.Part(notification: part.notification, targets: targets)
        }
        return remaining.parts.isEmpty ? nil : remaining
    }
}

/// What stays the same while the outcomes of one batch are decided.
private struct OutcomeDecider {
    let policy: RetryPolicy
    let wasAmbiguous: Bool
    let now: Timestamp

    func decide(
        _ outcome: DeliveryOutcome,
        target: DeliveryTarget,
        notification: NotificationWork,
        using generator: inout some RandomNumberGenerator
    ) -> DeliveryResult {
        DeliveryResult.decide(
            outcome: outcome,
            platform: target.device?.platform ?? .apns,
            attempt: target.attempt,
            wasAmbiguous: wasAmbiguous,
            policy: policy,
            now: now,
            expiresAt: notification.expiresAt,
            guarantee: notification.job.options.guarantee,
            using: &generator
        )
    }
}
