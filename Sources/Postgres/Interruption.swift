import Glibc
import Synchronization

/// Ends a call that is waiting in another thread by shutting its socket down.
///
/// `PQcancel` of libpq 15 blocks without a time limit and speaks unencrypted even under `sslmode=verify-full`, so a
/// cancelled call loses its connection instead. The lock keeps a descriptor that was closed, and perhaps given to
/// another file, from being shut down.
final class Interruption: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var isInterrupted = false
    }

    private let state = Mutex(State())

    /// Whether the socket was shut down from here.
    var isInterrupted: Bool {
        state.withLock { $0.isInterrupted }
    }

    /// Whether there is no socket to use, or none any more.
    var isOver: Bool {
        state.withLock { $0.isInterrupted || $0.descriptor < 0 }
    }

    /// Names the socket to shut down.
    func arm(_ descriptor: Int32) {
        state.withLock { $0.descriptor = descriptor }
    }

    /// Must come before the socket is closed.
    func disarm() {
        state.withLock { $0.descriptor = -1 }
    }

    /// Shuts the socket down: a waiting `poll` wakes and reads the end of the stream.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            if state.descriptor >= 0 { shutdown(state.descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
