/// What one worker was answered on a channel within one second, as it tells the others.
public struct ChannelSecond: Hashable, Sendable {
    /// The channel.
    public let key: ChannelKey

    /// The second of the database's clock, since 1970.
    public let second: Int64

    /// All answers of that second.
    public let counts: ChannelCounts

    /// Whether the teller has seen trouble with next to no success: then all who know the channel tell of it.
    public let isAlarm: Bool

    /// Describes a second.
    public init(key: ChannelKey, second: Int64, counts: ChannelCounts, isAlarm: Bool) {
        self.key = key
        self.second = second
        self.counts = counts
        self.isAlarm = isAlarm
    }
}
