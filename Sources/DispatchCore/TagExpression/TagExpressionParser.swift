/// Recursive descent over the bytes of one expression; every step down is counted, so its stack is bounded.
struct TagExpressionParser {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func wholeText() throws(TagExpressionError) -> TagExpression {
        let expression = try disjunction()
        guard offset == bytes.count else { throw unexpected("“&&”, “||” or the end") }
        return expression
    }

    private mutating func disjunction() throws(TagExpressionError) -> TagExpression {
        var operands = [try conjunction()]
        while try take(operator: UInt8(ascii: "|"), named: "“||”") {
            operands.append(try conjunction())
        }
        return .any(of: operands)
    }

    private mutating func conjunction() throws(TagExpressionError) -> TagExpression {
        var operands = [try factor()]
        while try take(operator: UInt8(ascii: "&"), named: "“&&”") {
            operands.append(try factor())
        }
        return .all(of: operands)
    }

    private mutating func factor() throws(TagExpressionError) -> TagExpression {
        skipWhiteSpace()
        switch peek() {
        case UInt8(ascii: "!"):
            try descend()
            defer { depth -= 1 }
            return .not(try factor())
        case UInt8(ascii: "("):
            try descend()
            defer { depth -= 1 }
            let inner = try disjunction()
            guard peek() == UInt8(ascii: ")") else { throw unexpected("“&&”, “||” or “)”") }
            offset += 1
            return inner
        case UInt8(ascii: "$"): return try special()
        default: return .tag(try tag())
        }
    }

    private mutating func tag() throws(TagExpressionError) -> Tag {
        let start = offset
        let text = take(while: Tag.isTagByte)
        guard offset > start else { throw unexpected("a tag, “!” or “(”") }
        guard offset - start <= Tag.greatestLength else {
            throw error(.badLength, at: start, expected: "a tag of at most 120 bytes", found: "\(offset - start)")
        }
        return Tag(checked: text)
    }

    private mutating func descend() throws(TagExpressionError) {
        guard depth < TagExpression.greatestDepth else {
            let expected = "at most \(TagExpression.greatestDepth) parentheses and “!” inside each other"
            throw error(.tooDeep, at: offset, expected: expected, found: "more")
        }
        depth += 1
        offset += 1
    }
}

// MARK: Ids

extension TagExpressionParser {
    private mutating func special() throws(TagExpressionError) -> TagExpression {
        if take(prefix: "$InstallationId:") {
            let start = offset
            let id = try identifier()
            guard IdentifierRules.isInstallationID(id) else { throw badID(id, at: start) }
            return .installation(id)
        }
        if take(prefix: "$UserId:") {
            let start = offset
            let id = try identifier()
            guard IdentifierRules.isUserID(id) else { throw badID(id, at: start) }
            return .user(id)
        }
        throw unexpected("“$InstallationId:” or “$UserId:”")
    }

    /// Reads `{id}`, or an id without braces up to white space or an operator.
    private mutating func identifier() throws(TagExpressionError) -> String {
        guard peek() == UInt8(ascii: "{") else { return take(while: Self.isBareIDByte) }
        offset += 1
        let id = take { $0 != UInt8(ascii: "}") }
        guard peek() == UInt8(ascii: "}") else { throw unexpected("“}”") }
        offset += 1
        return id
    }

    private static func isBareIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...UInt8(ascii: " "), 0x7F: false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"): false
        case UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "!"): false
        default: true
        }
    }

    private func badID(_ id: String, at start: Int) -> TagExpressionError {
        let isLengthWrong = !(1...IdentifierRules.greatestLength).contains(id.utf8.count)
        guard isLengthWrong else {
            let expected = "an id without control characters (and, for an installation, without white space)"
            return error(.unexpected, at: start, expected: expected, found: "one with them")
        }
        return error(.badLength, at: start, expected: "an id of 1 to 256 bytes", found: "\(id.utf8.count)")
    }
}

// MARK: Bytes

extension TagExpressionParser {
    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = peek(), byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) {
            offset += 1
        }
    }

    /// Takes both bytes of `&&` or `||`; one alone is an error.
    private mutating func take(operator byte: UInt8, named name: String) throws(TagExpressionError) -> Bool {
        skipWhiteSpace()
        guard peek() == byte else { return false }
        offset += 1
        guard peek() == byte else { throw unexpected(name) }
        offset += 1
        return true
    }

    private mutating func take(prefix: StaticString) -> Bool {
        let length = prefix.utf8CodeUnitCount
        guard bytes.count - offset >= length else { return false }
        for index in 0..<length where bytes[offset + index] != prefix.utf8Start[index] {
            return false
        }
        offset += length
        return true
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> String {
        let start = offset
        while offset < bytes.count, condition(bytes[offset]) {
            offset += 1
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func unexpected(_ expected: String) -> TagExpressionError {
        error(.unexpected, at: offset, expected: expected, found: foundHere())
    }

    private func foundHere() -> String {
        guard let character = String(decoding: bytes[offset...].prefix(8), as: UTF8.self).unicodeScalars.first else {
            return "the end"
        }
        let isPrintable = character.value > 0x20 && character.properties.generalCategory != .control
        return isPrintable ? "“\(character)”" : "U+" + String(character.value, radix: 16, uppercase: true)
    }

    private func error(
        _ code: TagExpressionError.Code,
        at offset: Int,
        expected: String,
        found: String
    ) -> TagExpressionError {
        TagExpressionError(code: code, offset: offset, expected: expected, found: found)
    }
}
