/// What `--cap` says: at most so many notifications within any stretch of time so long.
struct CapSetting: Sendable, CustomStringConvertible {
    let most: Int32
    let seconds: Int32

    /// For each user, or else for each installation.
    let perUser: Bool

    private static let greatest: Int32 = 1_000
    private static let periods: ClosedRange<Int32> = 60...2_678_400
    private static let units: KeyValuePairs<String, Int32> = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
    private static let words: KeyValuePairs<String, Int32> = ["week": 604_800, "day": 86_400, "hour": 3_600]

    /// Reads `3/day per user` or `1/30m per installation`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[1] == "per", let subject = Self.subject(parts[2]) else { return nil }
        let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, let most = Int32(numbers[0]), let seconds = Self.seconds(String(numbers[1])) else {
            return nil
        }
        guard (1...Self.greatest).contains(most), Self.periods.contains(seconds) else { return nil }
        (self.most, self.seconds, perUser) = (most, seconds, subject)
    }

    /// Reads what the store has written: number, seconds and subject between strokes.
    init?(stored text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 3, let most = Int32(parts[0]), let seconds = Int32(parts[1]),
            let subject = Self.subject(parts[2])
        else { return nil }
        (self.most, self.seconds, perUser) = (most, seconds, subject)
    }

    private static func subject(_ text: Substring) -> Bool? {
        switch text {
        case "user": true
        case "installation": false
        default: nil
        }
    }

    private static func seconds(_ text: String) -> Int32? {
        if let word = words.first(where: { $0.key == text }) { return word.value }
        guard let unit = units.first(where: { text.hasSuffix($0.key) }), let number = Int32(text.dropLast()), number > 0
        else { return nil }
        let (seconds, isTooMuch) = number.multipliedReportingOverflow(by: unit.value)
        return isTooMuch ? nil : seconds
    }

    var description: String {
        let unit = Self.units.first { seconds % $0.value == 0 } ?? ("s", 1)
        return "\(most)/\(seconds / unit.value)\(unit.key) per \(perUser ? "user" : "installation")"
    }
}
