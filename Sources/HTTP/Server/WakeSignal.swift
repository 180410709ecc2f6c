import CMicroHTTPD
import Glibc

/// Wakes the server's thread out of `poll`.
final class WakeSignal: Sendable {
    let descriptor: Int32

    /// Nil when the process has no descriptor left.
    init?() {
        descriptor = cmicrohttpd_eventfd()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        var one: UInt64 = 1
        // It can only fail when the counter is full, and then the thread is awake.
        _ = write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
