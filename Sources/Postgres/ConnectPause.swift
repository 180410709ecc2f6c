/// When a pool may try to connect: after a failure one caller at a time, with growing pauses in between.
///
/// Everybody who needs a connection meanwhile is told the failure at once: a server that recovers, or has no place left,
/// is not helped by all of them asking. Moments are nanoseconds of the monotonic clock.
struct ConnectPause {
    private static let first: UInt64 = 500_000_000
    private static let longest: UInt64 = 6_000_000_000

    private var error: PostgresError?
    private var failures = 0
    private var notBefore: UInt64 = 0
    private var isTrying = false

    /// The failure that a caller has to take for its answer; nil when it is to try.
    mutating func refusal(at now: UInt64) -> PostgresError? {
        guard let error else { return nil }
        if isTrying || now < notBefore { return error }
        isTrying = true
        return nil
    }

    /// A connection was made.
    mutating func succeed() { self = ConnectPause() }

    /// A try has failed; `jitter` is a share of the pause.
    mutating func fail(_ failure: PostgresError, at now: UInt64, jitter: Double) {
        isTrying = false
        // A caller that was cancelled says nothing of the server, and those that fail together are one failure.
        guard failure.kind != .cancelled, error == nil || now >= notBefore else { return }
        error = failure
        let pause = min(Self.longest, Self.first << UInt64(min(failures, 8)))
        failures += 1
        notBefore = now + UInt64(Double(pause) * jitter)
    }
}
