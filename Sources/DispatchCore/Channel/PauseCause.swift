/// Why a channel takes no pushes; the raw value is what PostgreSQL stores and never changes.
public enum PauseCause: String, CaseIterable, Hashable, Sendable {
    /// The gateway asked for a pause.
    case throttled

    /// The gateway answers with errors or not at all.
    case unavailable

    /// The gateway refuses the credential or the configuration.
    case refused

    /// Nearly every push channel was called dead or wrong: a mistake of ours rather than so many lost devices.
    case dead
}
