extension Timestamp {
    /// Reads `2026-12-01T12:00:00Z`: any offset, at most 6 digits of fraction, years 1 to 9999; anything else is nil.
    ///
    /// A leap second (`23:59:60` UTC) is the second after it, as in PostgreSQL. See RFC 3339 section 5.6.
    public init?(rfc3339 text: String) {
        var text = text
        guard let instant = text.withUTF8({ Self.instant(in: $0) }) else { return nil }
        self = instant
    }

    /// Reads `2026-12-24T18:00:00`, a local date and time without an offset, as the clock of UTC would show it.
    init?(localTime text: String) {
        var text = text
        guard let instant = text.withUTF8({ Self.instant(in: $0, isLocal: true) }) else { return nil }
        self = instant
    }

    /// The instant in UTC, with a fraction of 6 digits when there is one; for years 1 to 9999.
    public var rfc3339: String {
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = Self.date(ofDay: days)
        let date = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
        let hour = Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2)
        let fraction = microseconds - seconds * 1_000_000
        return date + "T" + hour + ":" + Self.padded(second % 60, 2)
            + (fraction == 0 ? "" : "." + Self.padded(fraction, 6)) + "Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Timestamp {
    /// The instant; where the zone is not known yet, the one that UTC's clock would give.
    private static func instant(in bytes: UnsafeBufferPointer<UInt8>, isLocal: Bool = false) -> Timestamp? {
        guard bytes.count >= (isLocal ? 19 : 20), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return nil
        }
        guard bytes[10] | 0x20 == UInt8(ascii: "t") else { return nil }
        guard bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":") else { return nil }
        guard let year = number(bytes, 0..<4, 1...9999), let month = number(bytes, 5..<7, 1...12),
            let day = number(bytes, 8..<10, 1...daysIn(month: month, year: year)),
            let hour = number(bytes, 11..<13, 0...23), let minute = number(bytes, 14..<16, 0...59),
            let second = number(bytes, 17..<19, 0...60),
            let (fraction, zone) = fraction(bytes, from: 19),
            let offset = isLocal ? (zone == bytes.count ? 0 : nil) : offset(bytes, from: zone)
        else { return nil }
        let time = hour * 3_600 + minute * 60 + second - offset
        let seconds = daysSinceEpoch(year, month, day) * 86_400 + time
        guard second < 60 || !isLocal && seconds % 86_400 == 0 else { return nil }
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    private static func number(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ positions: Range<Int>,
        _ allowed: ClosedRange<Int64>
    ) -> Int64? {
        var value: Int64 = 0
        for position in positions {
            guard JSONReader.isDigit(bytes[position]) else { return nil }
            value = value * 10 + Int64(bytes[position] - UInt8(ascii: "0"))
        }
        return allowed.contains(value) ? value : nil
    }

    /// The microseconds after an optional point, and where the zone begins.
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (Int64, Int)? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: ".") else { return (0, start) }
        var end = start + 1
        while end < bytes.count, JSONReader.isDigit(bytes[end]) {
            end += 1
        }
        let digits = end - start - 1
        guard (1...6).contains(digits), let value = number(bytes, (start + 1)..<end, 0...999_999) else { return nil }
        return ((digits..<6).reduce(value) { value, _ in value * 10 }, end)
    }

    /// The seconds that the zone is ahead of UTC.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64? {
        guard start < bytes.count else { return nil }
        if bytes[start] | 0x20 == UInt8(ascii: "z") { return start + 1 == bytes.count ? 0 : nil }
        guard bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-") else { return nil }
        guard bytes.count == start + 6, bytes[start + 3] == UInt8(ascii: ":") else { return nil }
        guard let hours = number(bytes, (start + 1)..<(start + 3), 0...23),
            let minutes = number(bytes, (start + 4)..<(start + 6), 0...59)
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return bytes[start] == UInt8(ascii: "-") ? -seconds : seconds
    }
}

// The civil calendar by eras of 400 years that begin in March: howardhinnant.github.io/date_algorithms.html
extension Timestamp {
    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
