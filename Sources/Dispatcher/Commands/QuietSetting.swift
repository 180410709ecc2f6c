/// What `--quiet` says: hours by the clock of each device's zone, or none.
struct QuietSetting: Sendable {
    /// From one minute of the day to another, over midnight if that is before it.
    struct Hours: Sendable, CustomStringConvertible {
        let from: String
        let until: String

        var description: String { "\(from)-\(until)" }
    }

    /// Nil when there shall be none.
    let hours: Hours?

    /// Reads `22:00-08:00` or `off`; nil for anything else.
    init?(_ text: String) {
        guard text != "off" else {
            hours = nil
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, parts.allSatisfy(Self.isTime), parts[0] != parts[1] else { return nil }
        hours = Hours(from: parts[0], until: parts[1])
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (48...57).contains($0) } }) else {
            return false
        }
        let (hour, minute) = (Int(String(Substring(parts[0]))) ?? 24, Int(String(Substring(parts[1]))) ?? 60)
        return hour < 24 && minute < 60
    }
}
