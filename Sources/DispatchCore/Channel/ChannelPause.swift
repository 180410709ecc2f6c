/// A stop of every push that a key reaches: nothing is sent until it ends, then a few probes decide.
public struct ChannelPause: Hashable, Sendable {
    /// What is stopped.
    public let key: ChannelKey

    /// Why.
    public let cause: PauseCause

    /// The gateway's word that led to it.
    public let reason: String

    /// When probes may go out.
    public let until: Timestamp

    /// How many times it was imposed, counted from 1; each failed probe makes the next one longer.
    public let round: Int

    /// What a delivery that waits for it shows as its reason.
    public let label: String

    /// Describes a pause.
    public init(key: ChannelKey, cause: PauseCause, reason: String, until: Timestamp, round: Int = 1) {
        self.key = key
        self.cause = cause
        self.reason = reason
        self.until = until
        self.round = round
        label = "ChannelPaused: \(reason)"
    }
}

/// Why a delivery is not sent now, and until when.
public struct ChannelHold: Hashable, Sendable {
    /// When it is worth trying again.
    public let until: Timestamp

    /// The reason to record.
    public let reason: String

    /// Describes a hold.
    public init(until: Timestamp, reason: String) {
        self.until = until
        self.reason = reason
    }
}

/// A decision about a channel that all workers must learn of.
public enum ChannelChange: Hashable, Sendable {
    /// It stops.
    case open(ChannelPause)

    /// Its probes failed: it stays stopped, for the pause's new round.
    case reopen(ChannelPause)

    /// Its probes of this round came through.
    case close(ChannelKey, round: Int)

    /// The key it is about.
    public var key: ChannelKey {
        switch self {
        case .open(let pause), .reopen(let pause): pause.key
        case .close(let key, _): key
        }
    }
}
