/// A field value followed by parameters: `value; name=token; name="quoted text"`.
struct ParameterizedValue {
    /// More than that no media type or disposition has.
    static let mostParameters = 16

    let value: String
    let parameters: [(name: String, value: String)]

    init?(_ field: String) {
        let bytes = Array(field.utf8)
        guard bytes.count <= 1024, bytes.allSatisfy({ ASCII.isFieldValue($0) }) else { return nil }
        let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        let head = ASCII.trimmed(bytes[..<end])
        guard !head.isEmpty, let parameters = Self.parameters(of: bytes[end...]) else { return nil }
        value = String(decoding: head, as: UTF8.self)
        self.parameters = parameters
    }

    func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    static func lowercased(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.map { ASCII.lowercased($0) }, as: UTF8.self)
    }

    private static func parameters(of bytes: ArraySlice<UInt8>) -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        var rest = bytes
        while true {
            rest = rest.drop { ASCII.isBlank($0) }
            guard !rest.isEmpty else { return parameters }
            guard rest.first == UInt8(ascii: ";") else { return nil }
            rest = rest.dropFirst().drop { ASCII.isBlank($0) }
            // A semicolon at the end, or two in a row, is tolerated (RFC 9110 section 5.6.6).
            if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
            let name = rest.prefix { ASCII.isToken($0) }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
            guard let value = takeValue(from: &rest) else { return nil }
            let key = lowercased(name)
            guard parameters.count < mostParameters, !parameters.contains(where: { $0.name == key }) else { return nil }
            parameters.append((key, value))
        }
    }

    /// Takes `=token` or `="quoted"`; a backslash takes the next octet as it is.
    private static func takeValue(from rest: inout ArraySlice<UInt8>) -> String? {
        rest = rest.dropFirst()
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { ASCII.isToken($0) }
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        var text: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\"), index + 1 < rest.endIndex { index += 1 }
            text.append(rest[index])
            index += 1
        }
        guard index < rest.endIndex else { return nil }
        rest = rest[(index + 1)...]
        return String(decoding: text, as: UTF8.self)
    }
}
