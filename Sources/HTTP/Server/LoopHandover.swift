import Synchronization

/// A loop on its way to the thread that runs it.
final class LoopHandover<Loop: ~Copyable>: Sendable {
    private let loop: Mutex<Loop?>

    init(_ loop: consuming sending Loop) {
        self.loop = Mutex(consume loop)
    }

    /// The loop, once.
    func take() -> sending Loop? {
        loop.withLock { $0.take() }
    }
}
