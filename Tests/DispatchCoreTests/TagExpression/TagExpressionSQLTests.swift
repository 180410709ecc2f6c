import DispatchCore
import Testing

@Suite struct TagExpressionSQLTests {
    struct Case: Sendable {
        let expression: String
        let text: String
        let parameters: [SQLParameter]

        init(_ expression: String, _ text: String, _ parameters: [SQLParameter]) {
            self.expression = expression
            self.text = text
            self.parameters = parameters
        }
    }

    @Test(
        "terms of a kind share one parameter and nothing of them is in the text",
        arguments: [
            Case("a", "i.tags @> $3::text[]", [.texts(["a"])]),
            Case("a||b||c", "i.tags && $3::text[]", [.texts(["a", "b", "c"])]),
            Case("a&&b&&c", "i.tags @> $3::text[]", [.texts(["a", "b", "c"])]),
            Case("!a", "NOT (i.tags @> $3::text[])", [.texts(["a"])]),
            Case(
                "a&&!b&&!c",
                "(i.tags @> $3::text[] AND NOT (i.tags && $4::text[]))",
                [.texts(["a"]), .texts(["b", "c"])]
            ),
            Case(
                "a||!b||!c",
                "(i.tags && $3::text[] OR NOT (i.tags @> $4::text[]))",
                [.texts(["a"]), .texts(["b", "c"])]
            ),
            Case("$UserId:x", "i.user_id = $3::text", [.text("x")]),
            Case("!$UserId:x", "NOT (coalesce(i.user_id = $3::text, false))", [.text("x")]),
            Case("$UserId:x||$UserId:y", "i.user_id = ANY($3::text[])", [.texts(["x", "y"])]),
            Case("$InstallationId:x", "i.installation_id = $3::text", [.text("x")]),
            Case(
                "!(a && ($InstallationId:x || $UserId:{'; DROP}))",
                "NOT ((i.tags @> $3::text[] AND "
                    + "(i.installation_id = ANY($4::text[]) OR coalesce(i.user_id = ANY($5::text[]), false))))",
                [.texts(["a"]), .texts(["x"]), .texts(["'; DROP"])]
            ),
        ]
    )
    func compile(_ expected: Case) throws {
        let sql = try TagExpression(parsing: expected.expression).sql(firstParameter: 3)
        #expect(sql == TagExpressionSQL(text: expected.text, parameters: expected.parameters))
    }

    @Test("nothing selects nothing, and no condition selects all")
    func empty() {
        #expect(TagExpression.or([]).sql(firstParameter: 1).text == "false")
        #expect(TagExpression.and([]).sql(firstParameter: 1).text == "true")
    }

    @Test("thousands of tags make one shallow condition")
    func chain() throws {
        let tags = (0..<2_000).map { "t\($0)" }
        let sql = try TagExpression(parsing: tags.joined(separator: "||")).sql(alias: "x", firstParameter: 1)
        #expect(sql.text == "x.tags && $1::text[]")
        #expect(sql.parameters == [.texts(tags)])
    }

    @Test("every parameter is bound once, in order, and the parentheses stay shallow", arguments: [7, 8])
    func shape(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        for _ in 0..<500 {
            let expression = TagExpressionPropertyTests.expression(depth: 5, using: &generator)
            let sql = expression.sql(firstParameter: 1)
            let numbers = sql.text.split(separator: "$").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
            #expect(numbers == Array(1..<(1 + sql.parameters.count)), "seed \(seed): \(sql.text)")
            #expect(sql.text.count { $0 == "(" } == sql.text.count { $0 == ")" })
        }
    }
}
