/// How the place is written at which the next page of a list begins: numbers in digits, with a mark between them.
enum PagePlace {
    /// The year 9999 in microseconds: what lies behind it is no time that PostgreSQL and the documents share.
    static let endOfTime: Int64 = 253_402_300_799_999_999

    /// Two numbers of at most 18 digits in their one spelling, the first a time; nil for anything else.
    ///
    /// A time behind the end is the end: nothing comes after it either way.
    static func numbers(_ text: String, separator: Character) -> (time: Int64, number: Int64)? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = number(parts[0]), let number = number(parts[1]) else { return nil }
        return (min(time, endOfTime), number)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.utf8.count == 1 || digits.first != "0"
        else { return nil }
        return Int64(digits)
    }
}
