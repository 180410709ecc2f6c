/// The decision about one delivery: what is recorded, and what happens next.
public struct DeliveryResult: Hashable, Sendable {
    /// Where the delivery stands now.
    public let state: DeliveryState

    /// The gateway's word, the transport's, or nil when the push was accepted.
    public let reason: String?

    /// How many attempts count so far; the next one has the number after it.
    public let attempts: Int

    /// Whether any attempt so far may have reached the device without being known to.
    public let isAmbiguous: Bool

    /// When to try again; present exactly while the state is `retrying`.
    public let nextAttemptAt: Timestamp?

    /// What to do about the device, when the gateway called its channel dead.
    public let retire: Retirement?

    /// What the outcome called for; `stop`, `suspect` and `unregistered` also count against the channel.
    ///
    /// It is nil for a delivery that ended without an attempt.
    public let disposition: Disposition?
}

extension DeliveryResult {
    /// Ends a delivery without another attempt: expired, suppressed, cancelled, failed to render, or unknown.
    ///
    /// `attempts` and `wasAmbiguous` are what earlier attempts left.
    public static func ended(
        _ state: DeliveryState,
        reason: String?,
        attempts: Int,
        wasAmbiguous: Bool = false
    ) -> DeliveryResult {
        precondition(state.isTerminal && state != .accepted, "only an attempt can be accepted or tried again")
        return DeliveryResult(
            state: state,
            reason: reason,
            attempts: attempts,
            isAmbiguous: wasAmbiguous,
            nextAttemptAt: nil,
            retire: nil,
            disposition: nil
        )
    }
}

extension DeliveryResult {
    /// Decides about the attempt numbered `attempt` (counted from 1) that ended with `outcome`.
    ///
    /// `wasAmbiguous` tells whether an earlier attempt was. Only an ambiguous outcome makes an at-most-once delivery
    /// end as unknown: where the gateway said no, sending again cannot send twice.
    public static func decide(
        outcome: DeliveryOutcome,
        platform: Platform,
        attempt: Int,
        wasAmbiguous: Bool,
        policy: RetryPolicy,
        now: Timestamp,
        expiresAt: Timestamp?,
        guarantee: DeliveryGuarantee,
        using generator: inout some RandomNumberGenerator
    ) -> DeliveryResult {
        let disposition = DispositionTable.disposition(of: outcome, platform: platform)
        let isAmbiguousNow = outcome.isAmbiguous(on: platform)
        let parks = policy.parks(disposition, attempt: attempt)
        func result(_ state: DeliveryState, reason: String?, at next: Timestamp? = nil) -> DeliveryResult {
            DeliveryResult(
                state: state,
                reason: reason,
                attempts: parks ? attempt - 1 : attempt,
                isAmbiguous: wasAmbiguous || isAmbiguousNow,
                nextAttemptAt: next,
                retire: disposition == .unregistered ? outcome.retirement : nil,
                disposition: disposition
            )
        }
        let reason = outcome.reason
        guard !disposition.isFinal else {
            return result(disposition == .accepted ? .accepted : .failed, reason: reason)
        }
        guard guarantee == .atLeastOnce || !isAmbiguousNow else { return result(.unknown, reason: reason) }
        let decision = policy.nextAttempt(
            afterAttempt: attempt,
            disposition: disposition,
            retryAfter: DispositionTable.retryAfter(of: outcome, platform: platform),
            now: now,
            expiresAt: expiresAt,
            using: &generator
        )
        switch decision {
        case .at(let next): return result(.retrying, reason: reason, at: next)
        case .giveUp: return result(.failed, reason: reason)
        case .expired: return result(.expired, reason: reason)
        }
    }
}
