/// The parser's cursor over the bytes of one document; strings and numbers are in its facets.
struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let depthLimit: Int
    var offset = 0

    init(bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func document() throws(JSONError) -> JSONValue {
        let result = try value(depth: 0)
        skipWhiteSpace()
        guard offset == bytes.count else { throw error(.trailingBytes, "the end of the document") }
        return result
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        guard offset < bytes.count else { throw error(.unexpectedEnd, "a value") }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case 0xEF: throw error(.unexpectedByte, "a value, without a byte order mark")
        default: throw error(.unexpectedByte, "a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        try enter(depth)
        var members: [JSONMember] = []
        var names = JSONNames()
        guard !takeAfterWhiteSpace(UInt8(ascii: "}")) else { return .object([]) }
        members.reserveCapacity(4)
        repeat {
            skipWhiteSpace()
            let nameOffset = offset
            guard peek() == UInt8(ascii: "\"") else { throw unexpected("a member name in double quotes") }
            let name = try string()
            guard names.insert(name, into: members) else {
                throw JSONError(code: .duplicateKey, offset: nameOffset, expected: "each member name only once")
            }
            guard takeAfterWhiteSpace(UInt8(ascii: ":")) else { throw unexpected("“:”") }
            members.append(JSONMember(name: name, value: try value(depth: depth)))
        } while takeAfterWhiteSpace(UInt8(ascii: ","))
        guard takeAfterWhiteSpace(UInt8(ascii: "}")) else { throw unexpected("“,” or “}”") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        try enter(depth)
        guard !takeAfterWhiteSpace(UInt8(ascii: "]")) else { return .array([]) }
        var elements: [JSONValue] = []
        repeat {
            elements.append(try value(depth: depth))
        } while takeAfterWhiteSpace(UInt8(ascii: ","))
        guard takeAfterWhiteSpace(UInt8(ascii: "]")) else { throw unexpected("“,” or “]”") }
        return .array(elements)
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= depthLimit else { throw error(.tooDeep, "at most \(depthLimit) levels of nesting") }
        offset += 1
    }

    private mutating func literal(_ text: StaticString, _ result: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard peek() == text.utf8Start[index] else { throw unexpected("“true”, “false” or “null”") }
            offset += 1
        }
        return result
    }
}

extension JSONReader {
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return
            }
        }
    }

    private mutating func takeAfterWhiteSpace(_ byte: UInt8) -> Bool {
        skipWhiteSpace()
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    func error(_ code: JSONError.Code, _ expected: String) -> JSONError {
        JSONError(code: code, offset: offset, expected: expected)
    }

    /// The error for the byte here, or for its absence.
    func unexpected(_ expected: String) -> JSONError {
        error(offset < bytes.count ? .unexpectedByte : .unexpectedEnd, expected)
    }
}
