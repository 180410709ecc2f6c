/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// From the year 0 to 9999, what four digits can say.
    private static let range = Int64(-62_167_219_200)...Int64(253_402_300_799)

    /// Writes seconds since 1970, moved into the years 0 to 9999.
    public static func format(secondsSince1970 seconds: Int64) -> String {
        let seconds = min(max(seconds, range.lowerBound), range.upperBound)
        let day = floorDivide(seconds, 86_400)
        let second = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(fromDay: day)
        let weekday = Int(day - floorDivide(day, 7) * 7)
        return "\(days[weekday]), \(pad(dayOfMonth, 2)) \(months[month - 1]) \(pad(year, 4)) "
            + "\(pad(Int(second / 3600), 2)):\(pad(Int(second / 60 % 60), 2)):\(pad(Int(second % 60), 2)) GMT"
    }

    /// Reads the format that is written; the two obsolete ones are not read, so a field with them has no effect.
    public static func parse(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == UInt8(ascii: ",") else { return nil }
        guard [4, 7, 11, 16].allSatisfy({ bytes[$0] == 0x20 }) else { return nil }
        guard bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":") else { return nil }
        let name = String(decoding: bytes[8..<11], as: UTF8.self)
        guard
            let day = ASCII.decimal(bytes[5..<7]).map(Int64.init), let month = months.firstIndex(of: name),
            let year = ASCII.decimal(bytes[12..<16]).map(Int64.init),
            let hour = ASCII.decimal(bytes[17..<19]).map(Int64.init), hour < 24,
            let minute = ASCII.decimal(bytes[20..<22]).map(Int64.init), minute < 60,
            let second = ASCII.decimal(bytes[23..<25]).map(Int64.init), second <= 60
        else { return nil }
        let seconds = dayNumber(year: year, month: Int64(month) + 1, day: day) * 86_400 + hour * 3600 + minute * 60
        // Written again it must be the same: that refuses the 31st of June and a weekday that does not fit.
        guard format(secondsSince1970: seconds).utf8.prefix(17).elementsEqual(bytes.prefix(17)) else { return nil }
        return seconds + min(second, 59)
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    /// The proleptic Gregorian date of a day number, counted in eras of 400 years that begin in March.
    private static func civil(fromDay day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1))
    }

    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivide(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
