/// What the rules for native payloads look at in a rendering: its structure, and those texts alone whose words count.
///
/// It is checked instead of the rendering, since it is shorter; where nothing in it depends on the properties, it is made once.
struct TemplateOutline: Hashable, Sendable {
    /// The outline, when it is the same for all notifications.
    let settled: JSONValue?

    private let program: TemplateProgram

    /// Takes a body, in which all expressions can be read.
    init(_ body: JSONValue, platform: Platform, syntax: TemplateSyntax) throws(TemplateError) {
        let reduction = Reduction(words: Self.words(on: platform), syntax: syntax)
        var compiler = JSONTemplateCompiler(syntax: syntax)
        try compiler.value(reduction.reduced(body, under: ""))
        program = compiler.builder.program
        settled = program.isConstant ? Self.rendering(of: program, TemplateProperties([])) : nil
    }

    /// The outline of what these properties make; nil when that is no JSON that is taken here, as it is too deep.
    func value(_ properties: TemplateProperties) -> JSONValue? {
        settled ?? Self.rendering(of: program, properties)
    }

    private static func rendering(of program: TemplateProgram, _ properties: TemplateProperties) -> JSONValue? {
        program.render(properties).flatMap { try? JSONParser.parse($0.head) }
    }

    /// The members whose texts the rules read; of all others they ask only what kind of value they are.
    private static func words(on platform: Platform) -> Set<String> {
        switch platform {
        case .apns: ["event", "interruption-level", "sound"]
        case .fcmV1:
            [
                "ttl", "priority", "color", "visibility", "notification_priority", "analytics_label", "title_loc_key",
                "body_loc_key",
            ]
        case .adm: ["consolidationKey", "priority", "color", "title_loc_key", "body_loc_key"]
        case .hms: ["ttl", "urgency", "color", "importance", "visibility", "title_loc_key", "body_loc_key"]
        case .browser, .wns: []
        }
    }
}

extension TemplateOutline {
    /// Leaves out the words that do not count.
    private struct Reduction {
        let words: Set<String>
        let syntax: TemplateSyntax

        /// The value of the member `name`, or an element of it.
        func reduced(_ value: JSONValue, under name: String) -> JSONValue {
            switch value {
            case .null, .bool, .number: value
            case .string(let text): words.contains(name) || isJSON(text) ? value : .string("")
            case .array(let elements): .array(elements.map { reduced($0, under: name) })
            // The app's own, of any shape.
            case .object where name == "content-state" || name == "attributes": .object([])
            case .object(let members):
                .object(members.map { JSONMember(name: $0.name, value: reduced($0.value, under: $0.name)) })
            }
        }

        /// Whether the text may become another kind of value.
        private func isJSON(_ text: String) -> Bool {
            guard let parts = try? TemplateText(parsing: text, syntax: syntax).parts, parts.count == 1 else {
                return false
            }
            guard case .json = parts[0] else { return false }
            return true
        }
    }
}
