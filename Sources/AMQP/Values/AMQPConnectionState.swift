/// Where a connection is in its life, for health checks.
public struct AMQPConnectionState: Sendable, Hashable {
    /// The stages of a connection.
    public enum Phase: String, Sendable, Hashable {
        /// Not usable yet, or again. Can transition to: ready, paused, stopped.
        case connecting
        /// Working. Can transition to: connecting, paused, blocked, stopped.
        case ready
        /// Connected, without a subscription by request. Can transition to: ready, connecting, stopped.
        case paused
        /// Connected, but the broker does not take messages. Can transition to: ready, connecting, stopped.
        case blocked
        /// Ended for good.
        case stopped
    }

    /// The stage.
    public let phase: Phase

    /// When the stage was entered.
    public let since: ContinuousClock.Instant

    /// Why the last connection or attempt failed, nil after a success.
    public let lastError: AMQPError?

    init(_ phase: Phase, since: ContinuousClock.Instant = .now, lastError: AMQPError? = nil) {
        self.phase = phase
        self.since = since
        self.lastError = lastError
    }

    /// This state with another stage, whose time begins now, or with another error.
    func moved(to phase: Phase, lastError: AMQPError? = nil) -> AMQPConnectionState {
        AMQPConnectionState(phase, since: phase == self.phase ? since : .now, lastError: lastError)
    }
}
