import DispatchCore
import Testing

@Suite struct ActionCategoryRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let code: JobError.Code
        let path: String

        var testDescription: String { "\(code.rawValue) at \(path): \(body.prefix(80))" }

        init(_ body: String, _ code: JobError.Code, _ path: String) {
            self.body = body
            self.code = code
            self.path = path
        }

        /// A category with one more member.
        static func with(_ member: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"id":"c",\#(member)}"#, code, path)
        }

        /// A category with one action.
        static func action(_ action: String, _ code: JobError.Code, _ path: String) -> Refusal {
            with(#""actions":[\#(action)]"#, code, "$.actions[0]" + path)
        }
    }

    static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    static func actions(_ count: Int) -> String {
        (0..<count).map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
    }

    static func refuse(_ refusal: Refusal) {
        let error = #expect(throws: JobError.self) { try ActionCategoryTests.category(refusal.body) }
        #expect(error?.code == refusal.code)
        #expect(error?.path == refusal.path)
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test(
        "a category that says something else",
        arguments: [
            Refusal("", .invalidJSON, "$"),
            Refusal("[]", .wrongType, "$"),
            Refusal("{}", .missingMember, "$.id"),
            Refusal(#"{"id":7}"#, .wrongType, "$.id"),
            Refusal(#"{"id":""}"#, .outOfRange, "$.id"),
            Refusal(#"{"id":"\#(long(257))"}"#, .tooLong, "$.id"),
            Refusal(#"{"id":"a\nb"}"#, .invalidFormat, "$.id"),
            Refusal(#"{"id":"\u0085"}"#, .invalidFormat, "$.id"),
            Refusal.with(#""name":"c""#, .unknownMember, "$.name"),
            Refusal.with(#""actions":{}"#, .wrongType, "$.actions"),
            Refusal.with(#""actions":[\#(actions(11))]"#, .tooMany, "$.actions"),
            Refusal.with(#""intents":"a""#, .wrongType, "$.intents"),
            Refusal.with(#""intents":["a",""]"#, .outOfRange, "$.intents[1]"),
            Refusal.with(
                #""intents":[\#(Array(repeating: "\"i\"", count: 17).joined(separator: ","))]"#,
                .tooMany,
                "$.intents"
            ),
            Refusal.with(#""options":"allowInCarPlay""#, .wrongType, "$.options"),
            Refusal.with(#""options":["allowInCarPlay","foreground"]"#, .outOfRange, "$.options[1]"),
            Refusal.with(#""options":[1]"#, .wrongType, "$.options[0]"),
            Refusal.with(#""hiddenPreviewsBodyPlaceholder":null"#, .wrongType, "$.hiddenPreviewsBodyPlaceholder"),
            Refusal.with(#""summaryFormat":"""#, .outOfRange, "$.summaryFormat"),
        ]
    )
    func category(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "an action that says something else",
        arguments: [
            Refusal.action("7", .wrongType, ""),
            Refusal.action(#"{"title":"t"}"#, .missingMember, ".id"),
            Refusal.action(#"{"id":"a"}"#, .missingMember, ".title"),
            Refusal.action(#"{"id":"a","title":""}"#, .outOfRange, ".title"),
            Refusal.action(#"{"id":"a","title":"\#(long(257))"}"#, .tooLong, ".title"),
            Refusal.action(#"{"id":"a","title":"t","icon":false}"#, .wrongType, ".icon"),
            Refusal.action(#"{"id":"a","title":"t","options":["allowInCarPlay"]}"#, .outOfRange, ".options[0]"),
            Refusal.action(#"{"id":"a","title":"t","behaviour":1}"#, .unknownMember, ".behaviour"),
            Refusal.action(#"{"id":"a","title":"t","input":true}"#, .wrongType, ".input"),
            Refusal.action(#"{"id":"a","title":"t","input":{"placeholder":""}}"#, .outOfRange, ".input.placeholder"),
            Refusal.action(#"{"id":"a","title":"t","input":{"text":""}}"#, .unknownMember, ".input.text"),
        ]
    )
    func action(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "hints for a content extension that say something else",
        arguments: [
            Refusal.with(#""contentExtension":true"#, .wrongType, "$.contentExtension"),
            Refusal.with(#""contentExtension":{"ratio":1}"#, .unknownMember, "$.contentExtension.ratio"),
            Refusal.with(
                #""contentExtension":{"defaultContentHidden":"yes"}"#,
                .wrongType,
                "$.contentExtension.defaultContentHidden"
            ),
            Refusal.with(
                #""contentExtension":{"mediaPlayPauseButton":"always"}"#,
                .outOfRange,
                "$.contentExtension.mediaPlayPauseButton"
            ),
        ]
    )
    func hints(refusal: Refusal) { Self.refuse(refusal) }

    @Test("a size ratio outside of 0 to 10", arguments: ["0", "-0.5", "0e9", "10.01", "11"])
    func ratio(number: String) {
        Self.refuse(
            Refusal.with(
                #""contentExtension":{"initialContentSizeRatio":\#(number)}"#,
                .outOfRange,
                "$.contentExtension.initialContentSizeRatio"
            )
        )
    }

    @Test("an id that another action has is refused where it stands the second time")
    func repeatedID() {
        let actions = #"{"id":"a","title":"t"},{"id":"b","title":"t"},{"id":"a","title":"u"}"#
        Self.refuse(Refusal.with(#""actions":[\#(actions)]"#, .conflictingMembers, "$.actions[2].id"))
    }

    @Test("ids that only look alike are different ids")
    func similarID() throws {
        let actions = "{\"id\":\"\u{E9}\",\"title\":\"t\"},{\"id\":\"e\u{301}\",\"title\":\"t\"}"
        #expect(try ActionCategoryTests.category(#"{"id":"c","actions":[\#(actions)]}"#).actions.count == 2)
    }
}
