/// A gateway's clear word that a device's push channel is dead.
public struct Retirement: Hashable, Sendable {
    /// The gateway's reason.
    public let reason: String

    /// The device is retired only if it registered before this instant; nil retires it in any case.
    public let invalidSince: Timestamp?

    /// Describes one retirement.
    public init(reason: String, invalidSince: Timestamp? = nil) {
        self.reason = reason
        self.invalidSince = invalidSince
    }
}
