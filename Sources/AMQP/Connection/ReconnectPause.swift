/// When a process may try to connect: one try at a time, and after a failure with growing pauses in between.
///
/// At most ten tries fail in any minute: a try that fails is followed by a pause that goes by the number of those that have
/// failed in the minute before, whatever succeeded in between.
struct ReconnectPause {
    typealias Instant = ContinuousClock.Instant

    private static let first = Duration.milliseconds(1_600)
    private static let longest = Duration.seconds(8)
    private static let minute = Duration.seconds(60)
    /// How soon to ask again whether somebody else's try is over.
    private static let look = Duration.milliseconds(50)

    /// The share of a pause that is left to chance: with less than nine tenths there would be eleven tries in a minute.
    static let jitter = 0.9...1.0

    /// When the tries of the last minute began that failed.
    private var failures: [Instant] = []
    private var notBefore: Instant?
    private var began: Instant?

    /// Answers how long to wait before asking again; nil when it is the caller's turn, who then says how it went.
    mutating func ask(at now: Instant) -> Duration? {
        if let notBefore, now < notBefore { return notBefore - now }
        if began != nil { return Self.look }
        began = now
        return nil
    }

    /// A connection was made.
    mutating func succeed() {
        began = nil
    }

    /// A try has failed; `jitter` is a share of the pause, which counts from where the try began.
    mutating func fail(jitter: Double) {
        guard let start = began.take() else { return }
        failures.removeAll { $0 + Self.minute <= start }
        failures.append(start)
        notBefore = start + min(Self.longest, Self.first * (1 << min(failures.count - 1, 8))) * jitter
    }
}
