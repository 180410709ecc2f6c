/// How far an answer reaches: which other pushes would be answered the same at this moment.
///
/// A `retryAfter` pauses that much and a `stop` stops it. Every other answer only counts against it.
public enum PauseScope: Hashable, Sendable, CaseIterable {
    /// This push alone.
    case none

    /// Every push to the same device.
    case device

    /// Every push on the same connection, which is to be replaced.
    case connection

    /// Every push to the same app with the same credential (APNs: to the same topic).
    case app

    /// Every push with the same credential; in browsers, to the same push service, since a VAPID token is made for one.
    case credential

    /// Every push to the same host, as browsers' subscriptions name them.
    case origin

    /// Every push through the gateway.
    case platform
}
