import Synchronization

/// Whether one pair of hands makes progress: it beats at every step of its work and rests while it has none.
final class LanePulse: Sendable {
    let queue: String
    private let beat = Mutex<ContinuousClock.Instant?>(nil)

    init(queue: String) {
        self.queue = queue
    }

    func begin() { beat.withLock { $0 = .now } }
    func rest() { beat.withLock { $0 = nil } }

    /// When it last took a step; nil while there is nothing to do.
    var lastStep: ContinuousClock.Instant? { beat.withLock { $0 } }
}
