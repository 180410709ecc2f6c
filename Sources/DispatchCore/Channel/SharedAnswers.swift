/// What all workers together were answered on one channel in the last minute, as far as they have told.
public struct SharedAnswers: Sendable {
    /// The channel.
    public let key: ChannelKey

    /// When the first alarm was told that is not a minute old.
    public let alarmedAt: Timestamp

    private var seconds: [(second: Int64, counts: ChannelCounts)] = []

    /// Starts with no answers.
    public init(key: ChannelKey, alarmedAt: Timestamp) {
        self.key = key
        self.alarmedAt = alarmedAt
    }

    /// Adds what was answered in a second.
    public mutating func add(_ counts: ChannelCounts, second: Int64) {
        seconds.append((second, counts))
    }

    /// The sum of the seconds after `start`, up to `end`.
    func sum(after start: Int64, through end: Int64 = .max) -> ChannelCounts {
        seconds.reduce(into: ChannelCounts()) { sum, entry in
            if entry.second > start, entry.second <= end { sum += entry.counts }
        }
    }
}
