import CMicroHTTPD
import Glibc
import Synchronization

/// Wakes a thread out of `poll`; costs a system call only while the thread waits.
///
/// Whoever signals has left its work where the thread finds it. The thread begins to wait, polls the descriptor beside
/// others, ends the wait, and looks for work.
final class WakeSignal: Sendable {
    private static let awake: UInt8 = 0
    private static let waiting: UInt8 = 1
    private static let signalled: UInt8 = 2

    let descriptor: Int32
    private let state = Atomic<UInt8>(awake)

    /// Nil when the process has no descriptor left.
    init?() {
        descriptor = cmicrohttpd_eventfd()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        guard state.exchange(Self.signalled, ordering: .acquiringAndReleasing) == Self.waiting else { return }
        var one: UInt64 = 1
        // It can only fail when the counter is full, and then the thread is awake.
        _ = write(descriptor, &one, 8)
    }

    // MARK: Called by the thread

    /// False when there was a signal since the last wait, and then `poll` must not wait.
    func beginWait() -> Bool {
        state.compareExchange(expected: Self.awake, desired: Self.waiting, ordering: .acquiringAndReleasing).exchanged
    }

    /// What was signalled before this is found afterwards.
    ///
    /// A signal of this wait may reach the descriptor only now; the next wait then ends at once, which is no harm.
    func endWait(isReadable: Bool) {
        if isReadable {
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
        }
        _ = state.exchange(Self.awake, ordering: .acquiringAndReleasing)
    }
}
