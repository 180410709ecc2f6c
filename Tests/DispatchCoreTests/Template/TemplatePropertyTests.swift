import DispatchCore
import Testing

@Suite("Templates against the reference")
struct TemplatePropertyTests {
    static let rounds = 5_500

    @Test("JSON: both languages, right and wrong", arguments: TemplateSyntax.allCases)
    func json(syntax: TemplateSyntax) throws {
        var generator = TemplateGenerator(random: SplitMix(seed: 0x7E3A))
        var reference = ReferenceTemplate(isExtended: syntax == .extended)
        var counts = (rendered: 0, refused: 0)
        for round in 0..<Self.rounds {
            let properties = generator.properties()
            reference.properties = properties
            let texts = (0...generator.random.below(2)).map { _ in generator.text() }
            var expected: [String]? = []
            for text in texts {
                switch reference.evaluate(text) {
                case nil: expected = nil
                case .same: expected?.append(ReferenceTemplate.quoted(text))
                case .text(let value): expected?.append(ReferenceTemplate.quoted(value))
                case .json(let value): expected?.append(value)
                }
            }
            let body = #"{"aps":{"alert":["# + texts.map(ReferenceTemplate.quoted).joined(separator: ",") + "]}}"
            let actual = try Self.render(body, on: .browser, syntax, properties)
            let wanted = expected.map { #"{"aps":{"alert":["# + $0.joined(separator: ",") + "]}}" }
            try #require(actual == wanted, "round \(round): \(body) with \(properties)")
            if wanted == nil { counts.refused += 1 } else { counts.rendered += 1 }
        }
        #expect(counts.rendered > Self.rounds / 4)
        #expect(counts.refused > Self.rounds / 50)
    }

    @Test("XML: both languages, in attributes and texts", arguments: TemplateSyntax.allCases)
    func xml(syntax: TemplateSyntax) throws {
        var generator = TemplateGenerator(random: SplitMix(seed: 0x5EED))
        var reference = ReferenceTemplate(isExtended: syntax == .extended)
        var rendered = 0
        for round in 0..<Self.rounds {
            let properties = generator.properties()
            reference.properties = properties
            let texts = (0..<2).map { _ in generator.text().replacing("\u{1}", with: "") }
            let attribute = Self.written(texts[0], isAttribute: true, &generator)
            let content = Self.written(texts[1], isAttribute: false, &generator)
            let body = "<toast a='\(attribute)'><text>\(content)</text></toast>"
            var wanted: String?
            if let first = Self.expected(reference, texts[0], attribute, isAttribute: true),
                let second = Self.expected(reference, texts[1], content, isAttribute: false)
            {
                wanted = "<toast a='\(first)'><text>\(second)</text></toast>"
            }
            let actual = try Self.render(body, on: .wns, syntax, properties)
            try #require(actual == wanted, "round \(round): \(body) with \(properties)")
            if wanted != nil { rendered += 1 }
        }
        #expect(rendered > Self.rounds / 4)
    }

    /// What the program makes of a body; nil when it refuses it.
    private static func render(
        _ body: String,
        on platform: Platform,
        _ syntax: TemplateSyntax,
        _ properties: [JSONMember]
    ) throws -> String? {
        let template: InstallationTemplate
        do {
            template = try TemplateExample.template(body, on: platform, syntax: syntax)
        } catch {
            return nil
        }
        let push = try template.render(TemplateProperties(properties), in: TemplateExample.context)
        return String(decoding: push.bodyHead, as: UTF8.self)
    }

    private static func expected(
        _ reference: ReferenceTemplate,
        _ text: String,
        _ source: String,
        isAttribute: Bool
    ) -> String? {
        switch reference.evaluate(text) {
        case nil: nil
        case .same: source
        case .text(let value): escaped(value, isAttribute)
        case .json(let value):
            // XML knows no numbers: the text inside of the quotes, if there are any.
            escaped(unquoted(value), isAttribute)
        }
    }

    private static func unquoted(_ json: String) -> String {
        (try? JSONParser.parse(Array(json.utf8)))?.string ?? json
    }

    private static func escaped(_ text: String, _ isAttribute: Bool) -> String {
        text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "'": "&apos;"
            case "\"": "&quot;"
            case "\n": isAttribute ? "&#10;" : "\n"
            case "\u{1}": "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }

    /// A text as somebody may write it in XML.
    private static func written(_ text: String, isAttribute: Bool, _ generator: inout TemplateGenerator) -> String {
        if !isAttribute, generator.random.below(4) == 0, !text.contains("]]>") { return "<![CDATA[\(text)]]>" }
        var result = ""
        for scalar in text.unicodeScalars {
            if "&<>'\"".unicodeScalars.contains(scalar) || generator.random.below(12) == 0
                || isAttribute && scalar == "\n"
            {
                result += "&#x" + String(scalar.value, radix: 16) + ";"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
