import DispatchCore
import Testing

@Suite("Mistakes in templates")
struct TemplateErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let code: TemplateError.Code
        let offset: Int

        var testDescription: String { "\(code.rawValue): \(text.prefix(60))" }

        init(_ text: String, _ code: TemplateError.Code, _ offset: Int) {
            self.text = text
            self.code = code
            self.offset = offset
        }
    }

    static let inBoth = [
        Mistake("$()", .missingProperty, 2),
        Mistake("$( )", .missingProperty, 3),
        Mistake("$(:{x})", .missingProperty, 2),
        Mistake("$(a b)", .invalidPropertyName, 3),
        Mistake("$(a-b)", .invalidPropertyName, 3),
        Mistake("$(é)", .invalidPropertyName, 2),
        Mistake("$(\(String(repeating: "n", count: 121)))", .propertyNameTooLong, 2),
        Mistake("$(a", .missingCloseParenthesis, 3),
        Mistake("$(a,5", .missingCloseParenthesis, 5),
        Mistake("$(a:{b}c)", .missingCloseParenthesis, 7),
        Mistake("$(a:{b}", .missingCloseParenthesis, 7),
        Mistake(".(a)", .missingLength, 0),
        Mistake(".(a:{b})", .missingLength, 0),
        Mistake("%(a,5)", .lengthNotAllowed, 3),
        Mistake("#(a,5)", .lengthNotAllowed, 3),
        Mistake("$(a,-1)", .invalidLength, 4),
        Mistake("$(a,)", .invalidLength, 4),
        Mistake("$(a,x)", .invalidLength, 4),
        Mistake("$(a,1,2)", .invalidLength, 4),
        Mistake("$(a,1.5)", .invalidLength, 4),
        Mistake("$(a,2147483648)", .invalidLength, 4),
        Mistake("$(a,\(String(repeating: "9", count: 400)))", .invalidLength, 4),
        Mistake("$(a:{b)", .missingDefaultEnd, 3),
        Mistake(#"$(a:{b\})"#, .missingDefaultEnd, 3),
        Mistake(#"$(a:{\"#, .missingDefaultEnd, 3),
        Mistake("{", .unclosedComposite, 1),
        Mistake("{$(a)", .unclosedComposite, 5),
        Mistake("{'a'} ", .unclosedComposite, 6),
        Mistake("{}", .missingOperand, 1),
        Mistake("{  }", .missingOperand, 1),
        Mistake("{$(a) + }", .missingOperand, 7),
        Mistake("{+ $(a)}", .unexpectedToken, 1),
        Mistake("{a}", .unexpectedToken, 1),
        Mistake("{'a' b}", .expectedOperator, 5),
        Mistake("{'a' - 'b'}", .expectedOperator, 5),
        Mistake("{'a}", .unclosedLiteral, 1),
        Mistake("{'a''}", .unclosedLiteral, 1),
        Mistake("{\"a'}", .unclosedLiteral, 1),
        Mistake("{'x' + #(a)}", .hashInComposite, 7),
        Mistake("{ $body }", .bodyNotSupported, 2),
        Mistake("{$x}", .missingOpenParenthesis, 2),
    ]

    @Test(
        "Azure's language refuses",
        arguments: inBoth + [
            Mistake("#000000", .missingOpenParenthesis, 1),
            Mistake("$", .missingOpenParenthesis, 1),
            Mistake("... more", .missingOpenParenthesis, 1),
            Mistake("%20", .missingOpenParenthesis, 1),
            Mistake("$ (a)", .missingOpenParenthesis, 1),
            Mistake("$body", .bodyNotSupported, 0),
            Mistake("$Body(a)", .bodyNotSupported, 0),
            Mistake("$(a) x", .expectedOperator, 5),
            Mistake("$(a) ", .expectedOperator, 5),
            Mistake("$(a)+", .missingOperand, 5),
            Mistake("#(a)+'x'", .hashInComposite, 0),
            Mistake("$(a.b)", .invalidPropertyName, 3),
            Mistake("$(a[0])", .invalidPropertyName, 3),
        ]
    )
    func azure(mistake: Mistake) {
        check(mistake, .azure)
    }

    @Test(
        "the extended language refuses",
        arguments: inBoth + [
            Mistake("x $(a", .missingCloseParenthesis, 5),
            Mistake("é.(a)", .missingLength, 2),
            Mistake("$(a.)", .invalidPropertyName, 4),
            Mistake("$(.a)", .invalidPropertyName, 2),
            Mistake("$(a..b)", .invalidPropertyName, 4),
            Mistake("$([0])", .invalidPropertyName, 2),
            Mistake("$(a[])", .invalidPropertyName, 4),
            Mistake("$(a[x])", .invalidPropertyName, 4),
            Mistake("$(a[0)", .invalidPropertyName, 4),
            Mistake("$(a[0]b)", .invalidPropertyName, 6),
            Mistake("$(a[99999999999999999999])", .invalidPropertyName, 4),
            Mistake("$(a\(String(repeating: ".b", count: 33)))", .pathTooDeep, 67),
        ]
    )
    func extended(mistake: Mistake) {
        check(mistake, .extended)
    }

    @Test("every code has an example here or in the tests of bodies")
    func everyCode() {
        let seen = Set(Self.inBoth.map(\.code) + [.pathTooDeep])
        let elsewhere: Set<TemplateError.Code> = [.invalidJSON, .invalidXML, .unsupportedBody, .platformRule]
        #expect(seen.union(elsewhere) == Set(TemplateError.Code.allCases))
    }

    private func check(_ mistake: Mistake, _ syntax: TemplateSyntax) {
        let error = #expect(throws: TemplateError.self) { try TemplateText(parsing: mistake.text, syntax: syntax) }
        #expect(error?.code == mistake.code)
        #expect(error?.offset == mistake.offset)
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test("the place of a text in the body is named")
    func place() {
        let body = ##"{"aps":{"alert":{"loc-args":["x","$(a"]}},"9 odd":"#000"}"##
        let error = #expect(throws: JobError.self) { try TemplateExample.template(body, on: .apns) }
        #expect(error?.code == .badTemplate)
        #expect(error?.path == "$.body")
        #expect(error?.offset == 3)
        #expect(error?.reason.hasPrefix("missingCloseParenthesis at $.aps.alert['loc-args'][1], byte 3: ") == true)
    }
}
