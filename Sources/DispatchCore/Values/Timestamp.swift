/// An instant as whole microseconds since 1970-01-01T00:00:00Z, the resolution PostgreSQL keeps.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, UTC.
    public let microseconds: Int64

    /// Makes an instant from microseconds since the Unix epoch.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes an instant from whole seconds since the Unix epoch.
    public init(seconds: Int64) {
        self.init(microseconds: seconds * 1_000_000)
    }

    /// Whole seconds since the Unix epoch, rounded down.
    public var seconds: Int64 { microseconds.quotientRoundedDown(by: 1_000_000) }

    /// Whole milliseconds since the Unix epoch, rounded down.
    public var milliseconds: Int64 { microseconds.quotientRoundedDown(by: 1_000) }

    /// Orders earlier instants first.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant `duration` after this one.
    public static func + (instant: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: instant.microseconds + duration.microseconds)
    }

    /// The time from `earlier` to `later`, negative when they are given in the wrong order.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    /// The length in whole microseconds, rounded toward zero.
    public var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
