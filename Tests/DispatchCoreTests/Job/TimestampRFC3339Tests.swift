import DispatchCore
import Testing

@Suite struct TimestampRFC3339Tests {
    @Test(
        "a time is read to the microsecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01t00:00:00z", 0),
            ("2026-12-01T12:00:00Z", 1_796_126_400_000_000),
            ("2026-12-01T12:00:00.1Z", 1_796_126_400_100_000),
            ("2026-12-01T12:00:00.000001Z", 1_796_126_400_000_001),
            ("2026-12-01T13:30:00+01:30", 1_796_126_400_000_000),
            ("2026-12-01T03:59:00-08:01", 1_796_126_400_000_000),
            ("2026-12-01T12:00:00-00:00", 1_796_126_400_000_000),
            ("1969-12-31T23:59:59.999999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ]
    )
    func reading(text: String, microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "anything else is nil",
        arguments: [
            "", "2026-12-01", "2026-12-01T12:00Z", "2026-12-01 12:00:00Z", "2026-12-01T12:00:00", "20261201T120000Z",
            "2026-13-01T12:00:00Z", "2026-02-29T12:00:00Z", "1900-02-29T12:00:00Z", "2026-00-01T12:00:00Z",
            "2026-04-31T12:00:00Z", "2026-12-00T12:00:00Z", "2026-12-01T24:00:00Z", "2026-12-01T12:60:00Z",
            "2026-12-01T12:00:60Z", "2026-12-01T12:00:61Z", "2026-12-01T12:00:00.Z", "2026-12-01T12:00:00.1234567Z",
            "2026-12-01T12:00:00+0100", "2026-12-01T12:00:00+24:00", "2026-12-01T12:00:00+01:60",
            "2026-12-01T12:00:00+01:00Z", "2026-12-01T12:00:00ZZ", "0000-01-01T00:00:00Z", "2026-12-01T12:00:00.",
            "２026-12-01T12:00:00Z", "2026-12-01T12:00:00,5Z", "+026-12-01T12:00:00Z",
        ]
    )
    func refusal(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("what is printed reads back", arguments: [1, 2])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        for _ in 0..<20_000 {
            let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
            let instant = Timestamp(microseconds: Int64.random(in: range, using: &generator))
            #expect(Timestamp(rfc3339: instant.rfc3339) == instant, "seed \(seed): \(instant.microseconds)")
            let whole = Timestamp(seconds: instant.seconds)
            #expect(Timestamp(rfc3339: whole.rfc3339) == whole)
            #expect(whole.rfc3339.utf8.count == 20)
        }
    }

    @Test("a fraction is printed with six digits")
    func printing() {
        #expect(Timestamp(microseconds: 1_796_126_400_100_000).rfc3339 == "2026-12-01T12:00:00.100000Z")
        #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999999Z")
    }
}
