/// The forms of locale and time zone names; whether such a one exists is not asked.
enum NameForms {
    /// A language tag by BCP 47: subtags of 1 to 8 letters and digits, the first of 2 to 8 letters (or `x` or `i`).
    static func isLocale(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = subtags.first, first.allSatisfy(isLetter) else { return false }
        let isPrivate = first.count == 1 && "xXiI".utf8.contains(first[first.startIndex]) && subtags.count > 1
        guard isPrivate || first.count >= 2 else { return false }
        return subtags.allSatisfy {
            (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || JSONReader.isDigit($0) }
        }
    }

    /// A name as in the IANA database: parts that begin with a letter, separated by `/`.
    static func isTimeZone(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, isLetter(first) else { return false }
            return part.allSatisfy { isLetter($0) || JSONReader.isDigit($0) || "_+-".utf8.contains($0) }
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || JSONReader.isDigit(byte) }
}
