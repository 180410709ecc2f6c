import Glibc

/// Milliseconds of a clock that only goes forward.
enum MonotonicClock {
    static func now() -> Int64 {
        var time = timespec()
        // The coarse clock ticks every few milliseconds and costs no more than reading memory.
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
