/// Turns a JSON body into segments; errors have the path of the text in the body.
struct JSONTemplateCompiler {
    let syntax: TemplateSyntax
    var builder = TemplateBuilder()

    init(syntax: TemplateSyntax) {
        self.syntax = syntax
    }

    /// Adds a value with everything in it.
    mutating func value(_ value: JSONValue) throws(TemplateError) {
        switch value {
        case .null: builder.literal("null")
        case .bool(let value): builder.literal(value ? "true" : "false")
        case .number(let number): builder.literal(number.text.utf8)
        case .string(let text): try string(text)
        case .array(let elements): try array(elements)
        case .object(let members):
            builder.literal("{")
            try self.members(members)
            builder.literal("}")
        }
    }

    /// Adds members of the object that is open.
    mutating func members(_ members: [JSONMember]) throws(TemplateError) {
        for member in members {
            key(member.name)
            do {
                try value(member.value)
            } catch {
                throw error.under(member.name)
            }
        }
    }

    /// Adds the name of the next member; only the brace before the first is always the last byte there.
    mutating func key(_ name: String) {
        if !builder.ends(with: UInt8(ascii: "{")) { builder.literal(",") }
        builder.literal("\"")
        var bytes: [UInt8] = []
        JSONWriter.escaped(name, into: &bytes)
        builder.literal(bytes)
        builder.literal("\":")
    }

    /// Adds a string, or what its expression stands for; it stays a string in any case when it `isText`.
    mutating func string(_ source: String, isText: Bool = false) throws(TemplateError) {
        let text = try TemplateText(parsing: source, syntax: syntax)
        if !isText, text.parts.count == 1, case .json(let reference) = text.parts[0] {
            return builder.add(.json(reference, keepsKinds: syntax == .extended))
        }
        builder.literal("\"")
        builder.text(text, escaping: .json)
        builder.literal("\"")
    }

    private mutating func array(_ elements: [JSONValue]) throws(TemplateError) {
        builder.literal("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { builder.literal(",") }
            do {
                try value(element)
            } catch {
                throw error.under(index)
            }
        }
        builder.literal("]")
    }
}
