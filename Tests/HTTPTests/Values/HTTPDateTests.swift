import Testing

@testable import HTTP

@Suite struct HTTPDateTests {
    @Test(
        "known dates are written and read",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
        ]
    )
    func known(seconds: Int64, text: String) {
        #expect(HTTPDate.format(secondsSince1970: seconds) == text)
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(
        "what is no such date is not read",
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
            "Fri, 31 Jun 2024 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun  06 Nov 1994 08:49:37 GMT",
        ]
    )
    func unreadable(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test("every date is read as it was written", arguments: [1, 2])
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
            guard HTTPDate.parse(HTTPDate.format(secondsSince1970: seconds)) != seconds else { continue }
            Issue.record("seed \(seed): \(seconds)")
        }
    }

    @Test("moments beyond four digits stay within them")
    func extremes() {
        #expect(HTTPDate.format(secondsSince1970: .max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(secondsSince1970: .min).utf8.count == 29)
    }
}
