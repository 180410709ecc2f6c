/// What an answer leads to: for this delivery, for other pushes and for the device.
public struct Consequence: Hashable, Sendable {
    /// What the hub does about the delivery.
    public let disposition: Disposition

    /// How far the answer reaches.
    public let scope: PauseScope

    /// What becomes of the device's registration.
    public let device: DeviceAction

    /// The least pause before the next attempt; nil leaves it to the retry policy.
    public let pause: Duration?

    /// Describes one consequence; by default it concerns this delivery alone.
    public init(
        _ disposition: Disposition,
        scope: PauseScope = .none,
        device: DeviceAction = .keep,
        pause: Duration? = nil
    ) {
        self.disposition = disposition
        self.scope = scope
        self.device = device
        self.pause = pause
    }
}

extension Consequence {
    /// The same with the pause the gateway asked for: its word comes before what is usual.
    func honoring(_ retryAfter: Duration?) -> Consequence {
        guard let retryAfter else { return self }
        let honored = disposition == .backoff ? .retryAfter : disposition
        return Consequence(honored, scope: scope, device: device, pause: retryAfter)
    }
}
