/// What an answer means for the device's registration.
public enum DeviceAction: Hashable, Sendable, CaseIterable {
    /// It stays.
    case keep

    /// It stays and the answer is counted: a device that collects many deserves a look, many such devices an alarm.
    case count

    /// It is retired.
    case retire

    /// It is retired unless it registered after the instant the answer names; without an instant it is retired.
    case retireIfRegisteredBefore

    /// Its push channel is replaced by the one the answer names, if it names one.
    case replaceChannel

    /// Whether the answer is the gateway's clear word that the push channel is dead.
    public var isRetirement: Bool {
        switch self {
        case .retire, .retireIfRegisteredBefore: true
        case .keep, .count, .replaceChannel: false
        }
    }
}
