import DispatchCore
import Testing

@Suite struct TagExpressionParsingTests {
    @Test(
        "text is read by precedence and printed with the fewest parentheses",
        arguments: [
            ("a", "a"),
            ("  a  ", "a"),
            ("a&&b||c", "a && b || c"),
            ("a||b&&c", "a || b && c"),
            ("(a||b)&&c", "(a || b) && c"),
            ("((a))", "a"),
            ("!a&&b", "!a && b"),
            ("!(a&&b)", "!(a && b)"),
            ("! ! a", "!!a"),
            ("a&&(b&&c)", "a && b && c"),
            ("a||(b||c)||d", "a || b || c || d"),
            ("username:alice && !muted", "username:alice && !muted"),
            ("$UserId:{al ice}\n|| $UserId:bob", "$UserId:{al ice} || $UserId:{bob}"),
            ("$InstallationId:{x-1}&&t", "$InstallationId:{x-1} && t"),
            ("$InstallationId:x=1&&t", "$InstallationId:{x=1} && t"),
            ("($UserId:{'; DROP TABLE x})", "$UserId:{'; DROP TABLE x}"),
            ("A_@#.:-9", "A_@#.:-9"),
        ]
    )
    func printing(text: String, printed: String) throws {
        #expect(try TagExpression(parsing: text).description == printed)
    }

    struct Refusal: Sendable {
        let text: String
        let code: TagExpressionError.Code
        let offset: Int
        let found: String

        init(_ text: String, _ code: TagExpressionError.Code, _ offset: Int, _ found: String) {
            self.text = text
            self.code = code
            self.offset = offset
            self.found = found
        }
    }

    @Test(
        "every mistake has its code and offset",
        arguments: [
            Refusal("", .unexpected, 0, "the end"),
            Refusal("   ", .unexpected, 3, "the end"),
            Refusal("a b", .unexpected, 2, "“b”"),
            Refusal("a & b", .unexpected, 3, "U+20"),
            Refusal("a |", .unexpected, 3, "the end"),
            Refusal("a &&", .unexpected, 4, "the end"),
            Refusal("&& a", .unexpected, 0, "“&”"),
            Refusal("(a", .unexpected, 2, "the end"),
            Refusal("a)", .unexpected, 1, "“)”"),
            Refusal("()", .unexpected, 1, "“)”"),
            Refusal("!", .unexpected, 1, "the end"),
            Refusal("café", .unexpected, 3, "“é”"),
            Refusal("a;b", .unexpected, 1, "“;”"),
            Refusal("a'--", .unexpected, 1, "“'”"),
            Refusal("a%", .unexpected, 1, "“%”"),
            Refusal("a\\", .unexpected, 1, "“\\”"),
            Refusal("a$$", .unexpected, 1, "“$”"),
            Refusal("a\u{0}", .unexpected, 1, "U+0"),
            Refusal("$Other:x", .unexpected, 0, "“$”"),
            Refusal("$UserId:", .badLength, 8, "0"),
            Refusal("$UserId:{}", .badLength, 8, "0"),
            Refusal("$UserId:{a", .unexpected, 10, "the end"),
            Refusal("$UserId:{a\u{7}}", .unexpected, 8, "one with them"),
            Refusal("$InstallationId:{a b}", .unexpected, 16, "one with them"),
            Refusal("$UserId:{" + String(repeating: "u", count: 257) + "}", .badLength, 8, "257"),
            Refusal("x||" + String(repeating: "t", count: 121), .badLength, 3, "121"),
            Refusal(String(repeating: "(", count: 10_000), .tooDeep, 64, "more"),
            Refusal(String(repeating: "!", count: 10_000) + "a", .tooDeep, 64, "more"),
            Refusal(String(repeating: "!(", count: 5_000), .tooDeep, 64, "more"),
            Refusal(String(repeating: "a||", count: 10_000) + "a", .tooLong, 16_384, "30001"),
        ]
    )
    func refusal(_ refusal: Refusal) {
        let error = #expect(throws: TagExpressionError.self) { try TagExpression(parsing: refusal.text) }
        #expect(error?.code == refusal.code)
        #expect(error?.offset == refusal.offset)
        #expect(error?.found == refusal.found)
    }

    @Test("sixty-four levels and a chain that fills 16 KiB pass")
    func limits() throws {
        let deep = String(repeating: "!(", count: 32) + "a" + String(repeating: ")", count: 32)
        #expect(throws: Never.self) { try TagExpression(parsing: deep) }
        let chain = (0..<1_820).map { "tag\(1_000 + $0)" }.joined(separator: "||")
        #expect(chain.utf8.count == 16_378)
        guard case .or(let operands) = try TagExpression(parsing: chain) else {
            Issue.record("no or")
            return
        }
        #expect(operands.count == 1_820)
    }

    @Test("the longest tag passes")
    func longestTag() throws {
        let text = String(repeating: "t", count: 120)
        #expect(try TagExpression(parsing: text).pointTag?.text == text)
        #expect(Tag(text + "t") == nil)
        #expect(Tag("") == nil)
    }

    @Test("a single positive term is a point")
    func points() throws {
        #expect(try TagExpression(parsing: "(a)").pointTag == Tag("a"))
        #expect(try TagExpression(parsing: "$UserId:u").pointUser == "u")
        #expect(try TagExpression(parsing: "$InstallationId:i").pointInstallation == "i")
        #expect(try TagExpression(parsing: "!a").pointTag == nil)
        #expect(try TagExpression(parsing: "a||b").pointTag == nil)
    }

    @Test("ids that only look alike are different terms")
    func canonicalEquivalence() throws {
        let composed = try TagExpression(parsing: "$UserId:{caf\u{E9}}")
        #expect(composed != (try TagExpression(parsing: "$UserId:{cafe\u{301}}")))
        #expect(!composed.matches(tags: [], installationID: "i", userID: "cafe\u{301}"))
    }
}
