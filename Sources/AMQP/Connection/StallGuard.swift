import Glibc
import Synchronization

/// Shuts a socket down when one call into the library lasts too long.
///
/// `amqp_basic_publish` has no timeout, and RabbitMQ reads nothing from publishers during an alarm.
final class StallGuard: Sendable {
    private struct Sight {
        var beat: UInt64
        var since: ContinuousClock.Instant
    }

    /// Our own duplicate: the library may close its descriptor at any time, and the number could be someone else's.
    let descriptor: Int32
    private let limit: Duration
    private let beat = Atomic<UInt64>(0)
    private let sight = Mutex(Sight(beat: 0, since: .now))

    init(socket: Int32, limit: Duration) {
        descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        self.limit = limit
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Marks the beginning (odd) and the end (even) of a call, or of a bounded burst of calls.
    func toggle() {
        beat.wrappingAdd(1, ordering: .relaxed)
    }

    /// Shuts the socket down when the same call was seen for longer than the limit.
    func check(at now: ContinuousClock.Instant) {
        let current = beat.load(ordering: .relaxed)
        let isStalled = sight.withLock { sight in
            if sight.beat != current || current.isMultiple(of: 2) { sight = Sight(beat: current, since: now) }
            return now - sight.since > limit
        }
        if isStalled { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
