import Synchronization

/// When the worker's lease was last renewed, or entered.
final class LeaseAge: Sendable {
    private let renewedAt = Mutex(ContinuousClock.now)

    func renew() { renewedAt.withLock { $0 = .now } }

    var age: Duration { renewedAt.withLock { ContinuousClock.now - $0 } }
}
