/// One text of a template, read: a JSON string, an XML attribute, the text of an XML element, or a header's value.
public struct TemplateText: Hashable, Sendable {
    let syntax: TemplateSyntax
    let parts: [TemplatePart]

    /// Whether the text stands for itself, byte by byte.
    public let isLiteral: Bool

    /// Reads `text`; the error's offset is the byte in it.
    public init(parsing text: String, syntax: TemplateSyntax) throws(TemplateError) {
        self.syntax = syntax
        let bytes = Array(text.utf8)
        guard syntax == .extended || Self.begins(bytes, withOneOf: "$.%#{"), !bytes.isEmpty else {
            parts = bytes.isEmpty ? [] : [.literal(bytes)]
            isLiteral = true
            return
        }
        var reader = ExpressionReader(bytes: bytes, syntax: syntax)
        parts = try Self.parts(&reader)
        isLiteral = parts == [.literal(bytes)]
    }

    /// The text with the properties' values, without any escaping.
    public func render(_ properties: TemplateProperties) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .value(let reference), .json(let reference):
                properties.write(reference, escaping: .none, into: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text, when it has no expressions.
    var constant: String? {
        switch parts.count {
        case 0: return ""
        case 1:
            guard case .literal(let bytes) = parts[0] else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        default: return nil
        }
    }

    private static func parts(_ reader: inout ExpressionReader) throws(TemplateError) -> [TemplatePart] {
        if begins(reader.bytes, withOneOf: "{") { return try reader.composite() }
        return switch reader.syntax {
        case .azure: try reader.operands()
        case .extended: try reader.inlineText()
        }
    }

    private static func begins(_ bytes: [UInt8], withOneOf signs: StaticString) -> Bool {
        guard let first = bytes.first else { return false }
        return UnsafeBufferPointer(start: signs.utf8Start, count: signs.utf8CodeUnitCount).contains(first)
    }
}
