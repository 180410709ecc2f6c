import Testing

@testable import DispatchCore

struct RetryAfterTests {
    /// The instant of RFC 9110's examples.
    private static let date = Timestamp(seconds: 784_111_777)

    @Test(
        "seconds and all three forms of a date are read",
        arguments: [
            ("120", 120), ("0", 0), (" 7\t", 7), ("Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 60), ("Sun Nov  6 08:49:37 1994", 60),
            ("Sun Nov 16 08:49:37 1994", 864_060),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("99999999999999999999", 30 * 86_400), ("99999999999", 30 * 86_400),
        ]
    )
    func pauses(field: String, seconds: Int) {
        #expect(RetryAfter.pause(field, now: Self.date + .seconds(-60)) == .seconds(seconds))
    }

    @Test(
        "what is neither is not believed",
        arguments: [
            "", " ", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Now 1994 08:49:37 GMT",
            "Sun, 31 Jun 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "2026-12-01T12:00:00Z",
        ]
    )
    func nonsense(field: String) {
        #expect(RetryAfter.pause(field, now: Self.date) == nil)
    }

    @Test("two digits of a year are of the hundred years around now")
    func shortYears() {
        let now = Timestamp(seconds: 1_790_000_000)
        #expect(RetryAfter.pause("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == .zero)
        #expect(RetryAfter.pause("Friday, 06-Nov-76 08:49:37 GMT", now: now) ?? .zero > .seconds(49 * 365 * 86_400))
    }
}
