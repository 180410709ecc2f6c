extension DeliveryResult {
    /// Whether it only waits for its channel, without an attempt.
    public var isParked: Bool { state == .retrying && disposition == nil }

    /// Lets a delivery wait without an attempt, for its stopped channel or its gateway's retry budget.
    ///
    /// The wait is spread over a tenth of its length and at least two seconds. Where the expiry comes first, the last
    /// try is in the second half of what remains, so that a channel that recovers early still serves it; so close to
    /// the expiry that there is no room for one, the delivery waits for its expiry.
    public static func parked(
        by hold: ChannelHold,
        attempts: Int,
        now: Timestamp,
        expiresAt: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> DeliveryResult {
        let wait = max((hold.until - now).microseconds, RetryPolicy.minimumDelay.microseconds)
        let remaining = (expiresAt - now).microseconds
        var bounds = wait...(wait + max(wait / 10, 2_000_000))
        if remaining <= bounds.upperBound {
            let least = max(remaining / 2, RetryPolicy.minimumDelay.microseconds)
            bounds =
                remaining > 2 * RetryPolicy.minimumDelay.microseconds ? least...(remaining - 1) : remaining...remaining
        }
        let delay = Int64.random(in: bounds, using: &generator)
        return DeliveryResult(
            state: .retrying,
            reason: hold.reason,
            attempts: attempts,
            isAmbiguous: false,
            nextAttemptAt: now + .microseconds(delay),
            retire: nil,
            disposition: nil,
            parkedFor: hold.key
        )
    }
}
