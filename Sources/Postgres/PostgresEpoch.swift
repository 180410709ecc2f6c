/// PostgreSQL counts microseconds and days from 2000-01-01; the program counts from 1970-01-01.
@usableFromInline
enum PostgresEpoch {
    private static let microseconds: Int64 = 946_684_800_000_000
    private static let days: Int32 = 10_957

    /// The server's microseconds; values out of range become its infinities (`Int64.max` and `.min`).
    @usableFromInline
    static func server(microsecondsSinceUnixEpoch value: Int64) -> Int64 {
        if value == .max { return .max }
        let (result, overflow) = value.subtractingReportingOverflow(microseconds)
        return overflow ? .min : result
    }

    /// Microseconds since the Unix epoch; the server's infinities stay `Int64.max` and `.min`.
    static func unix(serverMicroseconds value: Int64) -> Int64 {
        if value == .min { return .min }
        let (result, overflow) = value.addingReportingOverflow(microseconds)
        return overflow ? .max : result
    }

    static func server(daysSinceUnixEpoch value: Int32) -> Int32 {
        let (result, overflow) = value.subtractingReportingOverflow(days)
        return overflow ? .min : result
    }

    static func unix(serverDays value: Int32) -> Int32 {
        let (result, overflow) = value.addingReportingOverflow(days)
        return overflow ? .max : result
    }
}
