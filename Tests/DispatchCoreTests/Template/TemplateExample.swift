import DispatchCore
import Testing

/// One text of a template, the properties, and what becomes of it.
struct TemplateExample: Sendable, CustomTestStringConvertible {
    let text: String
    let properties: String
    let result: String

    var testDescription: String { "\(text) with \(properties)" }

    init(_ text: String, _ properties: String, _ result: String) {
        self.text = text
        self.properties = properties
        self.result = result
    }

    static func properties(_ json: String) throws -> TemplateProperties {
        TemplateProperties(try JSONParser.parse(Array(json.utf8)).members ?? [])
    }

    /// The text as a whole JSON string value, rendered for a platform without rules of its own.
    func json(_ syntax: TemplateSyntax) throws -> String {
        let body = JSONValue.object([
            JSONMember(name: "aps", value: .object([JSONMember(name: "alert", value: .string(text))]))
        ])
        let template = try TemplateExample.template(
            String(decoding: JSONWriter.encode(body), as: UTF8.self),
            on: .browser,
            syntax: syntax
        )
        let bytes = try template.render(Self.properties(properties), in: Self.context).body(channel: "")
        return String(String(decoding: bytes, as: UTF8.self).dropFirst(#"{"aps":{"alert":"#.count).dropLast(2))
    }

    static let context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)

    static func template(
        _ body: String,
        on platform: Platform,
        syntax: TemplateSyntax = .azure,
        headers: [String: String] = [:],
        expiry: String? = nil
    ) throws -> InstallationTemplate {
        var members = [
            JSONMember(name: "body", value: .string(body)),
            JSONMember(name: "syntax", value: .string(syntax.rawValue)),
        ]
        if !headers.isEmpty {
            let fields = headers.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: .string($0.value)) }
            members.append(JSONMember(name: "headers", value: .object(fields)))
        }
        if let expiry { members.append(JSONMember(name: "expiry", value: .string(expiry))) }
        return try InstallationTemplate(name: "t", decoding: .object(members), platform: platform)
    }
}
