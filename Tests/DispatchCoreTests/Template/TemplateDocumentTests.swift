import DispatchCore
import Foundation
import Testing

@Suite("The examples of docs/templates.md")
struct TemplateDocumentTests {
    private static let lines: [Substring] = {
        let file = SchemaFolder.root.appending(path: "docs/templates.md")
        let bytes = (try? Data(contentsOf: file)) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }()

    @Test("every row of value, properties and result is true")
    func rows() throws {
        var syntax = TemplateSyntax.azure
        var counts: [TemplateSyntax: Int] = [:]
        for line in Self.lines {
            if line.hasPrefix("## The extended") { syntax = .extended }
            guard let row = line.wholeMatch(of: /\| `(.*)` \| `(\{.*\})` \| `(.*)` \|/) else { continue }
            let example = TemplateExample(String(row.1), String(row.2), String(row.3))
            #expect(try example.json(syntax) == example.result, "\(example)")
            counts[syntax, default: 0] += 1
        }
        #expect(counts == [.azure: 16, .extended: 14])
    }

    @Test("every whole template makes its payload")
    func templates() throws {
        var blocks: [(info: [Substring], text: String)] = []
        for (index, line) in Self.lines.enumerated() where line.hasPrefix("```") && line.contains(" ") {
            let text = Self.lines[(index + 1)...].prefix { !$0.hasPrefix("```") }.joined(separator: "\n")
            blocks.append((line.dropFirst(3).split(separator: " "), text))
        }
        #expect(blocks.count == 6)
        for start in stride(from: 0, to: blocks.count, by: 3) {
            let info = blocks[start].info
            let platform = try #require(Platform(name: info[2]))
            let syntax = try #require(TemplateSyntax(rawValue: String(info[3])))
            let template = try TemplateExample.template(blocks[start].text, on: platform, syntax: syntax)
            let push = try template.render(
                TemplateExample.properties(blocks[start + 1].text),
                in: TemplateExample.context
            )
            #expect(String(decoding: push.bodyHead, as: UTF8.self) == blocks[start + 2].text)
        }
    }

    @Test("every code of a mistake is listed")
    func codes() {
        for code in TemplateError.Code.allCases {
            #expect(Self.lines.contains { $0.hasPrefix("| `\(code.rawValue)` |") }, "\(code)")
        }
    }
}
