/// What a number of answers on one channel said about the channel, not about the single delivery.
public struct ChannelCounts: Hashable, Sendable {
    /// Accepted pushes.
    public var accepted = 0

    /// Server errors, used-up limits and lost answers: the gateway does not take pushes now.
    public var unavailable = 0

    /// Refusals of the credential or the configuration.
    public var refused = 0

    /// Push channels called dead or wrong without a date, or as of a moment ago: the cause may be ours.
    public var dead = 0

    /// Push channels that died a while ago, by the gateway's own date: its clear word about a single device.
    public var dated = 0

    /// Everything else: the gateway answered, and it was about this push.
    public var other = 0

    /// Nothing counted yet.
    public init() {}

    /// Counts that were told by others; nothing else of theirs matters.
    public init(accepted: Int, unavailable: Int, dead: Int) {
        self.accepted = accepted
        self.unavailable = unavailable
        self.dead = dead
    }

    /// Answers that say that the channel is in trouble.
    var troubles: Int { unavailable + refused + dead }

    /// Adds up.
    static func += (left: inout ChannelCounts, right: ChannelCounts) {
        left.accepted += right.accepted
        left.unavailable += right.unavailable
        left.refused += right.refused
        left.dead += right.dead
        left.dated += right.dated
        left.other += right.other
    }
}
