import DispatchCore
import Testing

/// What a job or a template of bounded size can cost is bounded by what is read and written, not by clocks.
@Suite("Hostile templates")
struct HostileTemplateTests {
    static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    static func alert(_ text: String) -> String {
        let body = JSONValue.object([
            JSONMember(name: "aps", value: .object([JSONMember(name: "alert", value: .string(text))]))
        ])
        return String(decoding: JSONWriter.encode(body), as: UTF8.self)
    }

    struct LongText: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        /// The error in Azure's language, if any.
        let code: TemplateError.Code?

        init(_ name: String, _ text: String, _ code: TemplateError.Code? = nil) {
            testDescription = name
            self.text = text
            self.code = code
        }
    }

    @Test(
        "texts of 32 KiB are read in one pass",
        arguments: [
            LongText("backslashes in a default", "{$(a:{\(times(16_000, "\\\\"))})}"),
            LongText("a literal of quotes", "{'\(times(16_000, "''"))'}"),
            LongText("empty literals", "{\(times(8_000, "''+"))''}"),
            LongText("signs", times(32_000, "$"), .missingOpenParenthesis),
            LongText("parentheses", "$(\(times(32_000, "(")))", .invalidPropertyName),
            LongText("braces in a default", "$(a:{\(times(32_000, "{"))", .missingDefaultEnd),
            LongText("operands", "{\(times(4_000, "$(a)+"))$(a)}"),
            LongText("operands without an end", "{\(times(4_000, "$(a,1)+"))", .unclosedComposite),
            LongText("a length of digits", "$(a,\(times(32_000, "9")))", .invalidLength),
            LongText("white space after a name", "$(a\(times(16_000, " \n")))"),
            LongText("white space alone", "{\(times(32_000, " "))}", .missingOperand),
            LongText("defaults", "{\(times(4_000, "$(a:{b})+"))$(a)}"),
        ]
    )
    func longTexts(text: LongText) {
        var code: TemplateError.Code?
        do throws(TemplateError) {
            let read = try TemplateText(parsing: text.text, syntax: .azure)
            #expect(read.render(TemplateProperties([])).utf8.count <= text.text.utf8.count)
        } catch {
            code = error.code
        }
        #expect(code == text.code)
        _ = try? TemplateText(parsing: text.text, syntax: .extended).render(TemplateProperties([]))
    }

    @Test("bodies of 32 KiB, deep or wide")
    func bodies() {
        let deep = Self.times(16_000, "[") + Self.times(16_000, "]")
        let bodies: [(Platform, String, TemplateError.Code)] = [
            (.apns, #"{"aps":\#(deep)}"#, .invalidJSON),
            (.apns, #"{"aps":{\#((0..<3_000).map { "\"\($0)\":1" }.joined(separator: ","))}}"#, .platformRule),
            (.wns, Self.times(8_000, "<a>"), .invalidXML),
            (.wns, "<toast>\(Self.times(8_000, "<a/>"))", .invalidXML),
            (.wns, "<toast \(Self.times(3_000, "a='' "))/>", .invalidXML),
            (.wns, "<toast>\(Self.times(4_000, "<!---->"))", .invalidXML),
            (.wns, "<toast>\(Self.times(6_000, "&amp;"))", .invalidXML),
            (.wns, "<\(Self.times(32_000, "a"))>", .invalidXML),
            (.wns, "<!DOCTYPE a [<!ENTITY b \"\(Self.times(10, "&a;"))\">]><toast/>", .invalidXML),
        ]
        for (platform, body, code) in bodies {
            let error = #expect(throws: JobError.self) { try TemplateExample.template(body, on: platform) }
            #expect(error?.reason.hasPrefix(code.rawValue) == true)
            #expect(error?.reason.utf8.count ?? 0 < 400)
        }
    }

    @Test("a body of more than 32 KiB is refused before it is read")
    func tooLong() {
        let error = #expect(throws: JobError.self) {
            try TemplateExample.template(Self.times(32_769, "{"), on: .apns)
        }
        #expect(error?.code == .tooLong)
    }

    @Test(
        "a rendering that would have gigabytes stops soon after 64 KiB",
        arguments: ["$(a)", "%(a)", "$(o)", "$(o.b)", "$(a,2147483647)", ".(a,2147483647)"]
    )
    func amplification(reference: String) throws {
        let text = Self.alert(Self.times(30_000 / reference.utf8.count, reference))
        let template = try TemplateExample.template(text, on: .apns, syntax: .extended)
        let big = JSONValue.string(Self.times(1 << 19, "x"))
        let properties = TemplateProperties([
            JSONMember(name: "a", value: big),
            JSONMember(name: "o", value: .object([JSONMember(name: "b", value: big)])),
        ])
        let error = #expect(throws: RenderError.self) {
            try template.render(properties, in: TemplateExample.context)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("what is cut off a long value is not looked at")
    func clipping() throws {
        let text = Self.alert(Self.times(1_000, "$(a,1).(o.b,4)"))
        let template = try TemplateExample.template(
            text,
            on: .apns,
            syntax: .extended,
            headers: ["apns-push-type": "voip"]
        )
        let big = JSONValue.string(Self.times(1 << 19, "🎉"))
        let properties = TemplateProperties([
            JSONMember(name: "a", value: .string("x")),
            JSONMember(name: "o", value: .object([JSONMember(name: "b", value: big)])),
        ])
        #expect(try template.render(properties, in: TemplateExample.context).size == 4_000 + 20)
    }

    @Test("names are found by hashing, however many members an object has")
    func manyMembers() throws {
        let members = (0..<60_000).map { JSONMember(name: "n\($0)", value: .number(JSONNumber(1))) }
        let properties = TemplateProperties([JSONMember(name: "o", value: .object(members))])
        let text = Self.alert(Self.times(2_000, "$(o.N59999)"))
        let template = try TemplateExample.template(text, on: .apns, syntax: .extended)
        #expect(try template.render(properties, in: TemplateExample.context).size == 2_020)
    }

    @Test("random bytes never crash the readers")
    func noise() {
        var random = SplitMix(seed: 99)
        let seeds = [
            #"<toast a="$(b)"><text>{'x' + $(c:{d},5)}</text><!-- e --><![CDATA[f]]></toast>"#,
            ##"{"aps":{"alert":"$(a:{b\}},5)","badge":"#(n)"},"x":"{'a' + .(b,3)}"}"##,
        ]
        for round in 0..<20_000 {
            let bytes = Array(seeds[round % 2].utf8).mutated(using: &random)
            let body = String(decoding: bytes, as: UTF8.self)
            for syntax in TemplateSyntax.allCases {
                let platform: Platform = round % 2 == 0 ? .wns : .apns
                guard let template = try? TemplateExample.template(body, on: platform, syntax: syntax) else { continue }
                _ = try? template.render(TemplateProperties([]), in: TemplateExample.context)
            }
        }
    }
}
