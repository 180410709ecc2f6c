/// The cursor over the bytes of one text of a template; references are in its facet.
struct ExpressionReader {
    let bytes: [UInt8]
    let syntax: TemplateSyntax

    /// The end of what is read, which is before the brace of a composite.
    var end: Int
    var offset = 0

    init(bytes: [UInt8], syntax: TemplateSyntax) {
        self.bytes = bytes
        self.syntax = syntax
        end = bytes.count
    }

    /// Reads `{ operand + operand … }`, which fills the text.
    mutating func composite() throws(TemplateError) -> [TemplatePart] {
        guard bytes.count > 1, bytes.last == UInt8(ascii: "}") else {
            throw error(.unclosedComposite, at: bytes.count, "A text that begins with “{” must end with “}”.")
        }
        offset = 1
        end = bytes.count - 1
        while end > offset, let space = WhiteSpace.lengthBefore(end, in: bytes), end - space >= offset {
            end -= space
        }
        return try operands().map { part in
            guard case .json(let reference) = part else { return part }
            return .value(reference)
        }
    }

    /// Reads operands with a plus between them, up to the end.
    mutating func operands() throws(TemplateError) -> [TemplatePart] {
        var parts: [TemplatePart] = []
        var hash: Int?
        while true {
            skipWhiteSpace()
            if hash == nil, peek() == UInt8(ascii: "#") { hash = offset }
            parts.append(try operand())
            guard offset < end else { break }
            skipWhiteSpace()
            guard peek() == UInt8(ascii: "+") else { throw error(.expectedOperator, "Expected “+” or the end.") }
            offset += 1
        }
        if let hash, parts.count > 1 {
            throw error(.hashInComposite, at: hash, "“#” must stand alone; use “$” beside other operands.")
        }
        return parts
    }

    /// Reads text with references anywhere in it.
    mutating func inlineText() throws(TemplateError) -> [TemplatePart] {
        var parts: [TemplatePart] = []
        var literal: [UInt8] = []
        while let byte = peek() {
            let next = offset + 1 < end ? bytes[offset + 1] : 0
            if byte == UInt8(ascii: "\\"), "#$.%{\\".utf8.contains(next) {
                literal.append(next)
                offset += 2
            } else if Self.isSign(byte), next == UInt8(ascii: "(") {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(try reference())
            } else {
                literal.append(byte)
                offset += 1
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return Self.withJSONOnlyAlone(parts)
    }

    private mutating func operand() throws(TemplateError) -> TemplatePart {
        guard let byte = peek() else { throw error(.missingOperand, "Expected an expression or a quoted text.") }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .literal(try quoted(byte)) }
        guard Self.isSign(byte) else {
            throw error(.unexpectedToken, "Expected “$”, “.”, “%”, “'” or a double quote.")
        }
        if isBody {
            throw error(.bodyNotSupported, "“$body” is not supported; name a property, as in “$(message)”.")
        }
        return try reference()
    }

    /// Reads a literal, in which a doubled quote is a quote.
    private mutating func quoted(_ quote: UInt8) throws(TemplateError) -> [UInt8] {
        let start = offset
        var literal: [UInt8] = []
        offset += 1
        while let byte = peek() {
            offset += 1
            if byte == quote {
                guard peek() == quote else { return literal }
                offset += 1
            }
            literal.append(byte)
        }
        throw error(.unclosedLiteral, at: start, "The literal that begins here has no closing quote.")
    }

    private var isBody: Bool {
        offset + 5 <= end && bytes[offset] == UInt8(ascii: "$")
            && bytes[(offset + 1)..<(offset + 5)].elementsEqual("body".utf8) { $0 | 0x20 == $1 }
    }

    private static func withJSONOnlyAlone(_ parts: [TemplatePart]) -> [TemplatePart] {
        guard parts.count > 1 else { return parts }
        return parts.map { part in
            guard case .json(let reference) = part else { return part }
            return .value(reference)
        }
    }
}

extension ExpressionReader {
    static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#")
    }

    func peek() -> UInt8? { offset < end ? bytes[offset] : nil }

    mutating func skipWhiteSpace() {
        while offset < end, let length = WhiteSpace.length(at: offset, in: bytes) {
            offset += length
        }
    }

    func error(_ code: TemplateError.Code, at place: Int? = nil, _ reason: String) -> TemplateError {
        TemplateError(code, offset: place ?? offset, reason: reason)
    }
}
