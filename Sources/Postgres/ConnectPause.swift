/// When a process may try to connect: one try at a time, and after a failure with growing pauses in between.
///
/// At most ten tries fail in any minute: a try that fails is followed by a pause that goes by the number of those that have
/// failed in the minute before, whatever succeeded in between. Moments are nanoseconds of the monotonic clock.
struct ConnectPause {
    /// What a caller that needs a connection is told.
    enum Answer {
        /// Try, and say how it went.
        case go
        /// Somebody tries, and the server is not known to be in trouble: ask again when that has ended.
        case wait
        /// Take this for your answer: a server that recovers, or has no place left, is not helped by all of them asking.
        case refused(PostgresError)
    }

    private static let first: UInt64 = 1_600_000_000
    private static let longest: UInt64 = 8_000_000_000
    private static let minute: UInt64 = 60_000_000_000

    /// The share of a pause that is left to chance: with less than nine tenths there would be eleven tries in a minute.
    static let jitter = 0.9...1.0

    /// The last failure, until a try succeeds.
    private var error: PostgresError?
    /// When the tries of the last minute began that failed.
    private var failures: [UInt64] = []
    private var notBefore: UInt64 = 0
    private var began: UInt64?

    var isTrying: Bool { began != nil }

    mutating func ask(at now: UInt64) -> Answer {
        if let error, began != nil || now < notBefore { return .refused(error) }
        if began != nil { return .wait }
        began = now
        return .go
    }

    /// A connection was made.
    mutating func succeed() {
        began = nil
        error = nil
    }

    /// A try has failed; `jitter` is a share of the pause, which counts from where the try began.
    mutating func fail(_ failure: PostgresError, jitter: Double) {
        guard let start = began.take() else { return }
        // A caller that was cancelled says nothing of the server.
        if failure.kind != .cancelled { error = failure }
        guard error != nil else { return }
        failures.removeAll { $0 + Self.minute <= start }
        failures.append(start)
        let pause = min(Self.longest, Self.first << UInt64(min(failures.count - 1, 8)))
        notBefore = start + UInt64(Double(pause) * jitter)
    }
}
