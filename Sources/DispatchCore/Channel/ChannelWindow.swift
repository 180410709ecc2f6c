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

    /// The last word of each kind of trouble.
    private(set) var words: [PauseCause: String] = [:]

    /// The first second of which the other workers have not been told all.
    private var untold: Int64?

    mutating func add(_ report: ChannelReport, at now: Timestamp) {
        let counts = report.counts
        advance(to: now.seconds)
        buckets[newest] += counts
        untold = untold ?? newest
        if !report.words.isEmpty { words.merge(report.words) { $1 } }
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

    /// What the other workers have not been told, by the second; a second that goes on is told again, with all of it.
    mutating func takeUntold() -> [(second: Int64, counts: ChannelCounts)] {
        guard let first = untold.take() else { return [] }
        return (max(first, newest - buckets.length + 1)...newest).compactMap { second in
            let counts = buckets[second]
            return counts.accepted + counts.unavailable + counts.dead > 0 ? (second, counts) : nil
        }
    }

    /// What was to be told from this second on was not.
    mutating func takeBack(from second: Int64) {
        untold = min(untold ?? second, second)
    }

    /// A clock that was set back counts into the newest second.
    private mutating func advance(to second: Int64) {
        guard buckets.advance(to: second) else { return }
        failures = 0
        failingSince = nil
        untold = nil
    }
}
