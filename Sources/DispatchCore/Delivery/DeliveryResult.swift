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

    /// How far the outcome reaches beyond this delivery.
    public let scope: PauseScope

    /// What becomes of the device's registration.
    public let device: DeviceAction

    /// The push channel the device is reached at from now on, when the gateway named another one.
    public let newChannel: String?

    /// The pause that the gateway asked for or is known to need.
    public let pause: Duration?

    /// The channel it waits for without an attempt.
    public let parkedFor: ChannelKey?

    init(
        state: DeliveryState,
        reason: String?,
        attempts: Int,
        isAmbiguous: Bool,
        nextAttemptAt: Timestamp?,
        retire: Retirement?,
        disposition: Disposition?,
        scope: PauseScope = .none,
        device: DeviceAction = .keep,
        newChannel: String? = nil,
        pause: Duration? = nil,
        parkedFor: ChannelKey? = nil
    ) {
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.isAmbiguous = isAmbiguous
        self.nextAttemptAt = nextAttemptAt
        self.retire = retire
        self.disposition = disposition
        self.scope = scope
        self.device = device
        self.newChannel = newChannel
        self.pause = pause
        self.parkedFor = parkedFor
    }
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
        let consequence = DispositionTable.consequence(of: outcome, platform: platform)
        let disposition = consequence.disposition
        let isAmbiguous = outcome.isAmbiguous(on: platform)
        func result(_ state: DeliveryState, at next: Timestamp? = nil) -> DeliveryResult {
            DeliveryResult(
                state,
                of: outcome,
                consequence,
                attempts: policy.parks(disposition, attempt: attempt) ? attempt - 1 : attempt,
                isAmbiguous: wasAmbiguous || isAmbiguous,
                nextAttemptAt: next
            )
        }
        guard !disposition.isFinal else { return result(disposition == .accepted ? .accepted : .failed) }
        guard guarantee == .atLeastOnce || !isAmbiguous else { return result(.unknown) }
        let decision = policy.nextAttempt(
            afterAttempt: attempt,
            disposition: disposition,
            retryAfter: consequence.pause,
            now: now,
            expiresAt: expiresAt,
            using: &generator
        )
        switch decision {
        case .at(let next): return result(.retrying, at: next)
        case .giveUp: return result(.failed)
        case .expired: return result(.expired)
        }
    }
}

extension DeliveryResult {
    private init(
        _ state: DeliveryState,
        of outcome: DeliveryOutcome,
        _ consequence: Consequence,
        attempts: Int,
        isAmbiguous: Bool,
        nextAttemptAt: Timestamp?
    ) {
        self.init(
            state: state,
            reason: state == .accepted ? nil : outcome.reason,
            attempts: attempts,
            isAmbiguous: isAmbiguous,
            nextAttemptAt: nextAttemptAt,
            retire: outcome.retirement(by: consequence.device),
            disposition: consequence.disposition,
            scope: consequence.scope,
            device: consequence.device,
            newChannel: outcome.newChannel,
            pause: consequence.pause
        )
    }
}
