import Testing

@testable import Dispatcher

@Suite struct LogQuotingTests {
    @Test(
        "plain values stay, others are quoted so that they cannot forge a line",
        arguments: [
            ("plain", "plain"), ("é-ü", "é-ü"), ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
            (#"say "x""#, #""say \"x\"""#), ("a\nlevel=error", #""a\nlevel=error""#), ("a\u{7F}", #""a?""#),
            ("tab\tbell\u{7}", #""tab?bell?""#), (#"back slash \ end"#, #""back slash \\ end""#), ("\r\n", #""?\n""#),
        ]
    )
    func quoting(value: String, expected: String) {
        #expect(Log.quoted(value) == expected)
    }

    @Test("levels are named and ordered")
    func levels() {
        #expect(Log.Level(name: "warning") == .warning)
        #expect(Log.Level(name: "WARNING") == nil)
        #expect(Log.Level.allCases == Log.Level.allCases.sorted())
    }
}
