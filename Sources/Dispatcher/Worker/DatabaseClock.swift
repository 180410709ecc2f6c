import DispatchCore
import Glibc
import Synchronization

/// The database's time, so that every worker stamps rows by one clock.
///
/// It runs on the monotonic clock from the last synchronisation, so a jump of this machine's wall clock moves nothing.
final class DatabaseClock: Sendable {
    private let offset: Atomic<Int64>

    init() {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        offset = Atomic(Self.microseconds(wall) - Self.monotonicMicroseconds())
    }

    var now: Timestamp {
        DatabaseTime(offset: offset.load(ordering: .relaxed)).at(Self.monotonicMicroseconds())
    }

    /// Takes over the time that the database tells; one caller at a time.
    func synchronise(_ ask: () async throws -> Timestamp) async rethrows {
        let askedAt = Self.monotonicMicroseconds()
        let told = try await ask()
        var time = DatabaseTime(offset: offset.load(ordering: .relaxed))
        time.synchronise(with: told, askedAt: askedAt, answeredAt: Self.monotonicMicroseconds())
        offset.store(time.offset, ordering: .relaxed)
    }

    private static func monotonicMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return microseconds(time)
    }

    private static func microseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
