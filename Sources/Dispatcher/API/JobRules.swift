import DispatchCore

/// What a job that comes over HTTP is held to, besides its form.
struct JobRules: Sendable {
    let now: Timestamp

    /// How far ahead it may ask to be sent.
    let horizon: Duration

    /// An address as long as that of a content; nil when the hub does not know its own, and nothing of it can be attached.
    let contentURL: String?
}
