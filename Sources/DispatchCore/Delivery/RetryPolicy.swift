/// When a delivery is tried again: exponential pauses with full jitter, never past the expiry.
///
/// | after attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | pause, at most | 1 s | 2 s | 4 s | 8 s | 16 s | 32 s | 64 s | none: it gives up |
///
/// The pause is drawn evenly from 100 ms up to that bound, or up to the expiry where that is nearer. A `Retry-After`
/// with up to a tenth more on top takes its place where that is longer. A stopped channel parks its pushes for 300 s (and
/// up to a tenth more) at a time, without counting the attempt.
public struct RetryPolicy: Sendable {
    /// The longest pause after the first attempt.
    public let baseDelay: Duration

    /// How many times longer the bound becomes with every attempt.
    public let factor: Int

    /// The bound never grows past this; it is also how long a stopped channel's pushes are parked.
    public let cap: Duration

    /// The delivery fails after this many counted attempts.
    public let maxAttempts: Int

    /// The shortest pause: a gateway that has just refused gets at least this much air.
    public static let minimumDelay: Duration = .milliseconds(100)

    /// No gateway keeps a message longer than 30 days, so no `Retry-After` is believed past that.
    static let longestRetryAfter: Duration = .seconds(30 * 24 * 3600)

    /// Makes a policy; the defaults are what the documentation's table shows.
    public init(
        baseDelay: Duration = .seconds(1),
        factor: Int = 2,
        cap: Duration = .seconds(300),
        maxAttempts: Int = 8
    ) {
        precondition(baseDelay >= Self.minimumDelay && cap >= baseDelay, "pauses must not be below 100 ms")
        precondition(factor >= 1 && maxAttempts >= 1, "a policy needs a factor and a number of attempts of 1 or more")
        self.baseDelay = baseDelay
        self.factor = factor
        self.cap = cap
        self.maxAttempts = maxAttempts
    }

    /// The longest pause after the attempt with this number, before jitter, expiry and `Retry-After`.
    public func longestDelay(afterAttempt attempt: Int) -> Duration {
        var delay = baseDelay
        for _ in 1..<max(attempt, 1) {
            guard delay < cap else { return cap }
            delay *= factor
        }
        return min(delay, cap)
    }

    /// Decides about the delivery whose attempt `attempt` (counted from 1) ended with `disposition`.
    ///
    /// `retryAfter` is the gateway's wish. A stopped channel, and a credential refused twice, park the push.
    public func nextAttempt(
        afterAttempt attempt: Int,
        disposition: Disposition,
        retryAfter: Duration?,
        now: Timestamp,
        expiresAt: Timestamp?,
        using generator: inout some RandomNumberGenerator
    ) -> RetryDecision {
        guard !disposition.isFinal else { return .giveUp(reason: "final") }
        let remaining = remainingTime(now: now, expiresAt: expiresAt)
        let isParked = parks(disposition, attempt: attempt)
        guard isParked || attempt < maxAttempts else { return .giveUp(reason: "attempts used up") }
        if isParked {
            let bounds = Self.parkBounds(cap: cap.microseconds, remaining: remaining)
            return Self.draw(bounds, remaining: remaining, using: &generator).map { .at(now + $0) } ?? .expired
        }
        let usual = Self.minimumDelay.microseconds...longestDelay(afterAttempt: attempt).microseconds
        guard let pause = Self.draw(usual, remaining: remaining, using: &generator) else { return .expired }
        guard let retryAfter else { return .at(now + pause) }
        let wished = Self.wishBounds(retryAfter)
        guard let wish = Self.draw(wished, remaining: remaining, using: &generator) else { return .expired }
        // A gateway that says "at once" each time would else be tried until the attempts are used up.
        return .at(now + max(pause, wish))
    }

    /// Draws a pause that ends before the expiry; nil when there is none.
    private static func draw(
        _ bounds: ClosedRange<Int64>,
        remaining: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        guard bounds.lowerBound <= remaining else { return nil }
        let longest = min(bounds.upperBound, remaining)
        return .microseconds(Int64.random(in: bounds.lowerBound...longest, using: &generator))
    }

    /// What the gateway asked for, with up to a tenth more, so that its pushes do not all come back at one moment.
    private static func wishBounds(_ retryAfter: Duration) -> ClosedRange<Int64> {
        let wish = min(max(retryAfter, minimumDelay), longestRetryAfter).microseconds
        return wish...(wish + wish / 10)
    }

    /// Whether an attempt that ended so is not counted, and its push waits until the operator has acted.
    public func parks(_ disposition: Disposition, attempt: Int) -> Bool {
        disposition == .stop || disposition == .reauthenticate && attempt > 1
    }

    /// The longest pause that still ends before the expiry, in microseconds; negative when there is none.
    private func remainingTime(now: Timestamp, expiresAt: Timestamp?) -> Int64 {
        guard let expiresAt else { return .max }
        return (expiresAt - now).microseconds - 1
    }

    /// Parks for the cap, or, close to the expiry, for a last try in the second half of what remains.
    private static func parkBounds(cap: Int64, remaining: Int64) -> ClosedRange<Int64> {
        guard remaining < cap else { return cap...(cap + cap / 10) }
        let least = max(remaining / 2, minimumDelay.microseconds)
        return least...max(least, remaining)
    }
}
