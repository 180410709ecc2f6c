/// The answers of one batch on one channel, reduced to what they say about the channel.
public struct ChannelReport: Sendable {
    /// Whose answers they are.
    public let key: ChannelKey

    /// How many of each kind.
    public private(set) var counts = ChannelCounts()

    /// First attempts among them, and later ones that were accepted: what a retry budget lives on.
    private(set) var firsts = 0
    private(set) var acceptedRetries = 0

    /// The last word of each kind of trouble.
    private(set) var words: [PauseCause: String] = [:]

    /// How far the refusals reach.
    private(set) var refusalScope = PauseScope.credential

    /// The longest pause that the gateway asked for, and how far that reaches.
    private(set) var asked: (scope: PauseScope, pause: Duration)?

    /// Starts with no answers.
    public init(_ key: ChannelKey) {
        self.key = key
    }

    /// Whether nothing was counted.
    public var isEmpty: Bool { counts == ChannelCounts() }

    /// Counts the outcome of the attempt numbered `attempt`; a delivery that ended without one says nothing.
    public mutating func add(_ result: DeliveryResult, attempt: Int, now: Timestamp) {
        guard let disposition = result.disposition else { return }
        if attempt == 1 { firsts += 1 } else if disposition == .accepted { acceptedRetries += 1 }
        switch disposition {
        case .accepted: counts.accepted += 1
        case .failed, .tooLarge: counts.other += 1
        case .stop: addRefusal(result)
        // Uncounted: a new credential was refused as well.
        case .reauthenticate where result.attempts < attempt: addRefusal(result)
        case .unregistered, .suspect: addDead(result, now: now)
        case .backoff, .retryAfter, .reauthenticate, .reconnect: addFailure(result)
        }
    }

    func word(for cause: PauseCause) -> String { words[cause] ?? "" }

    private mutating func addRefusal(_ result: DeliveryResult) {
        counts.refused += 1
        refusalScope = result.scope
        words[.refused] = result.reason
    }

    private mutating func addDead(_ result: DeliveryResult, now: Timestamp) {
        if let since = result.retire?.invalidSince, since + ChannelPolicy.freshness < now {
            counts.dated += 1
        } else {
            counts.dead += 1
            words[.dead] = result.reason
        }
    }

    private mutating func addFailure(_ result: DeliveryResult) {
        switch result.scope {
        case .none, .device: counts.other += 1
        case .connection, .app, .credential, .origin, .platform:
            counts.unavailable += 1
            words[.unavailable] = result.reason
            guard let pause = result.pause, result.scope != .connection else { return }
            words[.throttled] = result.reason
            if pause > asked?.pause ?? .zero { asked = (result.scope, pause) }
        }
    }
}
