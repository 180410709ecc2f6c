import Glibc

/// A moment of the monotonic clock after which a call gives up.
struct Deadline {
    private let nanoseconds: UInt64

    init(after duration: Duration) {
        nanoseconds = Self.now() + UInt64(duration.wholeMilliseconds) * 1_000_000
    }

    /// Nanoseconds of the monotonic clock.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// What `poll` is given, rounded up so that it does not wake early; nil once the moment has passed.
    var millisecondsLeft: Int32? {
        let now = Self.now()
        guard now < nanoseconds else { return nil }
        return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// Whole milliseconds within what `poll` and a server setting can hold, some 24 days; never negative.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let milliseconds = min(max(0, seconds), 3_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
