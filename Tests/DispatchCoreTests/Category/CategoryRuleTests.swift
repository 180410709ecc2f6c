import DispatchCore
import Testing

@Suite struct CategoryRuleTests {
    private static let rotation = """
        {"id":"red-category","rules":[\
        {"on":"rotate","to":1,"since":"reset","update":{"title":"two"}},\
        {"on":"rotate","from":9,"to":9,"since":"reset","update":{}},\
        {"on":"reset","update":{"title":"one"},"for":"user"}]}
        """

    /// Which rules the answers have, one after another.
    private static func rules(_ category: ActionCategory, _ answers: [String]) -> [Int?] {
        answers.indices.map { index in
            AnswerHistory(actions: Array(answers[...index]), position: index).flatMap { category.rule(for: $0) }
        }
    }

    @Test("what is written is what was read, byte for byte")
    func sameText() throws {
        let category = try ActionCategoryTests.category(Self.rotation)
        #expect(ActionCategoryTests.text(category) == Self.rotation)
        #expect(category.rules.map(\.audience) == [.device, .device, .user])
        let spelled = #"{"id":"c","rules":[{"update":{},"for":"device","from":1,"on":"a"}]}"#
        #expect(
            try ActionCategoryTests.text(ActionCategoryTests.category(spelled))
                == #"{"id":"c","rules":[{"on":"a","update":{}}]}"#
        )
    }

    @Test("nine taps: the first has a rule and the ninth, and after a reset they count anew")
    func nineTaps() throws {
        let category = try ActionCategoryTests.category(Self.rotation)
        let taps = Array(repeating: "rotate", count: 10)
        #expect(Self.rules(category, taps) == [0, nil, nil, nil, nil, nil, nil, nil, 1, nil])
        let answers = ["rotate", "rotate", "other", "reset", "rotate", "rotate", "reset", "reset"]
        #expect(Self.rules(category, answers) == [0, nil, nil, 2, 0, nil, 2, 2])
    }

    @Test("an answer that is learned of after the reset that followed it has no rule")
    func late() throws {
        let category = try ActionCategoryTests.category(Self.rotation)
        let history = try #require(AnswerHistory(actions: ["rotate", "rotate", "reset"], position: 1))
        #expect(history.number(since: "reset") == 0 && history.number(since: nil) == 2)
        #expect(category.rule(for: history) == nil)
        #expect(AnswerHistory(actions: [], position: 0) == nil)
    }

    @Test("of several rules for one answer the first counts, and a rule without an end has none")
    func first() throws {
        let category = try ActionCategoryTests.category(
            #"{"id":"c","rules":[{"on":"a","from":2,"update":{}},{"on":"a","update":{"title":"t"}}]}"#
        )
        #expect(Self.rules(category, ["a", "b", "a", "a"]) == [1, nil, 0, 0])
        // Actions that only look alike are different ones.
        let accent = try ActionCategoryTests.category("{\"id\":\"c\",\"rules\":[{\"on\":\"\u{E9}\",\"update\":{}}]}")
        #expect(Self.rules(accent, ["e\u{301}", "\u{E9}"]) == [nil, 0])
    }

    @Test("a rule that no answer could have is refused")
    func unattainable() {
        let rule = #""on":"a","update":{}"#
        for (members, path) in [
            (#""from":2,"to":1"#, "$.rules[0].to"), (#""since":"a""#, "$.rules[0].since"),
        ] {
            ActionCategoryRefusalTests.refuse(
                .with(#""rules":[{\#(rule),\#(members)}]"#, .conflictingMembers, path)
            )
        }
    }

    @Test("an update is as long as a payload may be, and no longer")
    func length() throws {
        func text(_ count: Int) -> String {
            let rest = CategoryLimits.updateBytes - #"{"title":"","body":""}"#.utf8.count - 4_096
            let (title, body) = (String(repeating: "t", count: 4_096), String(repeating: "b", count: rest + count))
            return #"{"id":"c","rules":[{"on":"a","update":{"title":"\#(title)","body":"\#(body)"}}]}"#
        }
        _ = try ActionCategoryTests.category(text(0))
        ActionCategoryRefusalTests.refuse(.init(text(1), .tooLong, "$.rules[0].update"))
    }
}
