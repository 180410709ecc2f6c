import DispatchCore

/// Ways to break a document: in its structure, where it stays JSON, and in its bytes.
extension DocumentGenerator {
    /// One or two values of the document replaced, dropped, doubled, renamed or wrapped.
    mutating func broken(_ value: JSONValue) -> JSONValue {
        var value = value
        for _ in 0...dice.below(2) {
            value = changed(value, depth: 0)
        }
        return value
    }

    private mutating func changed(_ value: JSONValue, depth: Int) -> JSONValue {
        guard depth < 1 || chance(70) else { return replaced(value) }
        switch value {
        case .object(var members) where !members.isEmpty:
            let index = dice.below(members.count)
            guard chance(25) else {
                members[index] = JSONMember(
                    name: members[index].name,
                    value: changed(members[index].value, depth: depth + 1)
                )
                return .object(members)
            }
            change(&members, at: index)
            return .object(members)
        case .array(var elements) where !elements.isEmpty:
            let index = dice.below(elements.count)
            elements[index] = changed(elements[index], depth: depth + 1)
            if chance(20) { elements.append(elements[index]) }
            return .array(elements)
        case .null, .bool, .number, .string, .array, .object:
            return replaced(value)
        }
    }

    private mutating func change(_ members: inout [JSONMember], at index: Int) {
        let member = members[index]
        switch dice.below(4) {
        case 0: members.remove(at: index)
        case 1: members.append(member)
        case 2: members[index] = JSONMember(name: words(upTo: 30), value: member.value)
        default: members.append(JSONMember(name: member.name + "x", value: member.value))
        }
    }

    private mutating func replaced(_ value: JSONValue) -> JSONValue {
        switch dice.below(6) {
        case 0: .null
        case 1: anyNumber()
        case 2: .string(words(upTo: 5_000))
        case 3: .array([value, value])
        case 4: .object([JSONMember(name: "x", value: value)])
        default: anything(depth: 3)
        }
    }
}

extension DocumentGenerator {
    private static let tokens =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\\udc00\\ud83d", "null", "1e400", "-",
            "00", "1e-400",
            "\u{feff}", "\u{0}", "\u{1}", "/*", "//", "NaN", "$(", "{'", "')}", "&&", "||", "!", "(", ")", "$UserId:{",
            "<![CDATA[",
            "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;", "&#0;", "&#x10FFFF;", "#(x", ".(x,99999999999)", "%(", "@(",
            String(repeating: "[", count: 40), String(repeating: "{\"a\":", count: 600),
            String(repeating: "9", count: 520),
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80], [0xE2, 0x80],
        ]

    /// The bytes with one to three edits: flipped bits, spliced tokens, a cut, a doubled or a moved stretch.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...dice.below(3) {
            damage(&bytes)
        }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let position = dice.below(bytes.count + 1)
        let length = min(dice.below(24), bytes.count - position)
        switch dice.below(6) {
        case 0 where position < bytes.count: bytes[position] ^= 1 << UInt8(dice.below(8))
        case 1: bytes.insert(contentsOf: dice.pick(Self.tokens), at: position)
        case 2: bytes.removeSubrange(position..<(position + length))
        case 3: bytes.insert(contentsOf: bytes[position..<(position + length)], at: dice.below(bytes.count + 1))
        case 4 where chance(30): bytes.removeLast(min(length, bytes.count))
        default: bytes.insert(UInt8(dice.below(256)), at: position)
        }
    }
}
