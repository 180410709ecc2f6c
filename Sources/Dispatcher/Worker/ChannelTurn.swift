import DispatchCore

/// What became of a channel, as log and metrics tell it.
struct ChannelTurn: Hashable, Sendable {
    /// The last part of the log line, and the metric's label.
    enum Kind: String, Sendable {
        case stopped
        case prolonged
        case resumed
    }

    let platform: Platform
    let kind: Kind

    init(_ change: ChannelChange) {
        platform = change.key.platform
        kind =
            switch change {
            case .open: .stopped
            case .reopen: .prolonged
            case .close: .resumed
            }
    }
}
