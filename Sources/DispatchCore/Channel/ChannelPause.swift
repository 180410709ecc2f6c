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

    /// How many times it was imposed in a row for its cause, counted from 1; each time it is longer.
    public let round: Int

    /// Which of all pauses of the channel it is, as PostgreSQL counts them; 0 when it is not there yet.
    public let revision: Int

    /// What a delivery that waits for it shows as its reason.
    public let label: String

    /// Describes a pause.
    public init(
        key: ChannelKey,
        cause: PauseCause,
        reason: String,
        until: Timestamp,
        round: Int = 1,
        revision: Int = 0
    ) {
        self.key = key
        self.cause = cause
        self.reason = reason
        self.until = until
        self.round = round
        self.revision = revision
        label = "ChannelPaused: \(reason)"
    }
}

/// Why a delivery is not sent now, and until when.
public struct ChannelHold: Hashable, Sendable {
    /// When it is worth trying again.
    public let until: Timestamp

    /// The reason to record; nil leaves that of the last attempt.
    public let reason: String?

    /// What has to be resumed first, if it waits for that.
    public let key: ChannelKey?

    /// Describes a hold.
    public init(until: Timestamp, reason: String?, key: ChannelKey? = nil) {
        self.until = until
        self.reason = reason
        self.key = key
    }
}

/// A decision about a channel that all workers must learn of.
public enum ChannelChange: Hashable, Sendable {
    /// It stops.
    case open(ChannelPause)

    /// The probes of the revision before failed: it stays stopped, for the pause's new round.
    case reopen(ChannelPause)

    /// The probes of this revision came through.
    case close(ChannelKey, revision: Int)

    /// The key it is about.
    public var key: ChannelKey {
        switch self {
        case .open(let pause), .reopen(let pause): pause.key
        case .close(let key, _): key
        }
    }
}
