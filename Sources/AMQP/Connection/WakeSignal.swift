import CRabbit
import Glibc
import Synchronization

/// An eventfd that wakes a thread out of `poll`, written at most once per wake.
final class WakeSignal: Sendable {
    let descriptor: Int32
    private let isPending = Atomic(false)

    init() {
        descriptor = crabbit_eventfd()
        precondition(descriptor >= 0, "the process has no file descriptors left")
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the thread; what it should see must be stored before.
    func signal() {
        guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Arms the signal again; the thread looks at its work after this call, not before.
    func clear() {
        guard isPending.load(ordering: .relaxed) else { return }
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        _ = isPending.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Sleeps until the signal, or input on another descriptor, or the timeout.
    func wait(orInputOn other: Int32 = -1, milliseconds: Int32) {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, milliseconds)
    }
}
