/// How many due retries may be taken up now, so that those of an outage do not come back in one burst.
///
/// The allowance grows with time, up to that of a quarter of a second.
struct RetryPace {
    /// Retries in a second, for each worker, unless it is told otherwise.
    static let usual = 2_500

    private let rate: Double
    private var allowance: Double
    private var grantedAt: ContinuousClock.Instant

    init(rate: Int, now: ContinuousClock.Instant) {
        self.rate = Double(rate)
        allowance = Self.most(Double(rate))
        grantedAt = now
    }

    /// The number that may be taken now.
    mutating func allowed(_ now: ContinuousClock.Instant) -> Int {
        let passed = grantedAt.duration(to: now)
        grantedAt = now
        allowance = min(allowance + rate * (passed / .seconds(1)), Self.most(rate))
        return Int(allowance)
    }

    /// Counts what was taken.
    mutating func spend(_ count: Int) { allowance -= Double(count) }

    /// A rate below four in a second still allows one.
    private static func most(_ rate: Double) -> Double { max(rate / 4, 1) }
}
