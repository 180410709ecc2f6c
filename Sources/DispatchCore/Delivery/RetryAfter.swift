/// The field `Retry-After` of an answer: seconds, or the date until which a gateway wants to be left alone.
///
/// Source: RFC 9110, sections 10.2.3 and 5.6.7.
public enum RetryAfter {
    /// The pause that a field asks for, none for a date that is over; nil when it is neither number nor date.
    public static func pause(_ field: String, now: Timestamp) -> Duration? {
        let text = String(field.trimmingSpaces)
        if !text.isEmpty, text.utf8.allSatisfy({ JSONReader.isDigit($0) }) {
            // More seconds than fit are as good as the longest pause that is believed.
            return Int64(text).map { .seconds(min($0, RetryPolicy.longestRetryAfter.components.seconds)) }
                ?? RetryPolicy.longestRetryAfter
        }
        guard let date = date(text, now: now) else { return nil }
        return max(date - now, .zero)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads the three forms.
    ///
    /// "A recipient that parses a timestamp value in an HTTP field MUST accept all three HTTP-date
    /// formats."
    private static func date(_ text: String, now: Timestamp) -> Timestamp? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }).map { String($0) }
        switch parts.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where parts[5] == "GMT":
            return instant(year: year(parts[3], now: now), month: parts[2], day: parts[1], time: parts[4])
        // Sun Nov  6 08:49:37 1994
        case 5: return instant(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
        default: return nil
        }
    }

    private static func instant(year: String, month: String, day: String, time: String) -> Timestamp? {
        guard let number = months.firstIndex(of: month) else { return nil }
        let date = [year, padded(String(number + 1)), padded(day)].joined(separator: "-")
        return Timestamp(rfc3339: "\(date)T\(time)Z")
    }

    private static func padded(_ digits: String) -> String { digits.utf8.count == 1 ? "0" + digits : digits }

    /// Four digits of a year of which two may be known.
    ///
    /// "Recipients of a timestamp value in rfc850-date format, which uses a two-digit year, MUST interpret a timestamp that
    /// appears to be more than 50 years in the future as representing the most recent year in the past that had the same
    /// last two digits."
    private static func year(_ digits: String, now: Timestamp) -> String {
        guard digits.utf8.count == 2, let short = Int(digits), let current = Int(now.rfc3339.prefix(4)) else {
            return digits
        }
        let year = current - current % 100 + short
        return String(year > current + 50 ? year - 100 : year)
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        let start = self[...].drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
