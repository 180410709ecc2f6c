/// How long to leave a connection alone that was made and then lost: 0.5 s doubling to 15 s, with jitter, at most ten
/// times in a minute.
///
/// One that could not be made waits for its turn at the `ReconnectGate` instead.
struct ReconnectPolicy {
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(15)
    /// A connection that held this long was a success; a shorter one counts as another failure.
    private static let goodSession = Duration.seconds(30)

    private var failures = 0

    /// The pause after a connection that held for `session`.
    mutating func delay(
        afterSession session: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if session >= Self.goodSession { failures = 0 }
        let full = min(Self.longest, Self.first * (1 << min(failures, 5)))
        failures += 1
        return full * Double.random(in: 0.75...1, using: &generator)
    }
}
