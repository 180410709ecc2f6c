/// The answers of the last minute on one channel, by the second.
struct ChannelWindow: Sendable {
    private var buckets = SecondRing(length: 60, of: ChannelCounts())

    /// The second of the last answer.
    var newest: Int64 { buckets.newest }

    /// Refusals of the credential since the last report in which more was accepted than refused.
    private(set) var refusals = 0

    /// Server errors and lost answers since anything was accepted, and when the first of them was counted.
    private(set) var failures = 0
    private(set) var failingSince: Timestamp?

    mutating func add(_ counts: ChannelCounts, at now: Timestamp) {
        advance(to: now.seconds)
        buckets[newest] += counts
        addRun(counts, at: now)
        if counts.accepted > 0, counts.accepted >= counts.refused { refusals = 0 } else { refusals += counts.refused }
    }

    private mutating func addRun(_ counts: ChannelCounts, at now: Timestamp) {
        if counts.accepted > 0 {
            failures = 0
            failingSince = nil
        } else if counts.unavailable > 0 {
            failures += counts.unavailable
            failingSince = failingSince ?? now
        }
    }

    /// How long nothing but failures has been counted.
    func failing(until now: Timestamp) -> Duration { failingSince.map { now - $0 } ?? .zero }

    /// The sum of the newest so many seconds.
    func sum(seconds: Int) -> ChannelCounts {
        guard newest > Int64.min else { return ChannelCounts() }
        return (0..<min(Int64(seconds), buckets.length)).reduce(into: ChannelCounts()) { sum, age in
            sum += buckets[newest - age]
        }
    }

    /// A clock that was set back counts into the newest second.
    private mutating func advance(to second: Int64) {
        guard buckets.advance(to: second) else { return }
        failures = 0
        failingSince = nil
    }
}
