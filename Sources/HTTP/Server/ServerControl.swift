import Synchronization

/// Tells the server's thread to stop.
final class ServerControl: Sendable {
    private let wake: WakeSignal
    /// Milliseconds to drain for; negative while nobody has asked to stop.
    private let drain = Atomic<Int64>(-1)

    init(wake: WakeSignal) {
        self.wake = wake
    }

    var isStopRequested: Bool { drain.load(ordering: .acquiring) >= 0 }

    var drainMilliseconds: Int64 { max(0, drain.load(ordering: .acquiring)) }

    /// The first request counts.
    func stop(drainMilliseconds: Int64) {
        _ = drain.compareExchange(expected: -1, desired: max(0, drainMilliseconds), ordering: .acquiringAndReleasing)
        wake.signal()
    }
}
