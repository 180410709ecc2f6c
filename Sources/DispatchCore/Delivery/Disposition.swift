/// What the hub does about an outcome.
public enum Disposition: Hashable, Sendable, CaseIterable {
    /// The gateway took the push: final, "accepted" and never "delivered".
    case accepted

    /// This push can never succeed, and the device is not the cause: final, the registration stays.
    case failed

    /// The payload is over the gateway's limit: final for this rendering.
    case tooLarge

    /// The registration is dead: final for this device, which is retired.
    case unregistered

    /// The registration looks wrong, but the cause may be ours: final for this device, which stays and is counted.
    case suspect

    /// Try again after a pause that grows.
    case backoff

    /// As for `backoff`, and not before the gateway's `Retry-After`.
    case retryAfter

    /// Get a new credential and try again; a second refusal counts as `stop`.
    case reauthenticate

    /// Drop the connection, open another and try again after a pause.
    case reconnect

    /// The credential or the app's configuration is wrong: stop the channel, park its pushes, call the operator.
    case stop

    /// Whether the delivery ends here.
    public var isFinal: Bool {
        switch self {
        case .accepted, .failed, .tooLarge, .unregistered, .suspect: true
        case .backoff, .retryAfter, .reauthenticate, .reconnect, .stop: false
        }
    }
}
