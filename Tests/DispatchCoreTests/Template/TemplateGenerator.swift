import DispatchCore

/// Random texts of both languages, right and wrong ones, and random properties.
struct TemplateGenerator {
    var random: SplitMix

    private static let names = ["a", "B", "c_1", "user", "items", "long", "none", "NUM"]
    private static let words = [
        "x", "Hello ", " ", "", "é", "🎉", "'", "\"", "''", "\"\"", "\\", "\\}", "{", "}", "+", ")", "(", ",", ":", "#",
        "$",
        ".", "%", "<&>", "\n", "\u{1}", "\u{A0}", "12", "$(", "#ff", "\\$(a)", "\\{", "]]>", "e\u{301}",
    ]

    mutating func properties() -> [JSONMember] {
        var members: [JSONMember] = []
        for name in ["A", "b", "c_1", "USER", "items", "long", "num", "9 odd"] where random.below(8) > 0 {
            members.append(JSONMember(name: name, value: value(depth: 0)))
        }
        if random.below(4) == 0 { members.append(JSONMember(name: "a", value: .string("second"))) }
        return members
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch random.below(depth > 2 ? 6 : 9) {
        case 0: .string(random.pick(["12", "0", "1.5e3", "-1", "012", "1.", "3E+4"]))
        case 1: .number(JSONNumber(Int64(random.below(1_000)) - 500))
        case 2: .bool(random.below(2) == 0)
        case 3 where depth > 0: .null
        case 3, 4, 5: .string((0..<random.below(5)).map { _ in random.pick(Self.words) }.joined())
        case 6: .array((0..<random.below(4)).map { _ in value(depth: depth + 1) })
        default:
            .object(
                ["name", "Tags", "b"].prefix(random.below(4)).map { name in
                    JSONMember(name: name, value: value(depth: depth + 1))
                }
            )
        }
    }

    mutating func text() -> String {
        var text =
            switch random.below(6) {
            case 0: words(4)
            case 1: reference()
            case 2: "{" + space() + operands() + space() + "}"
            case 3: operands()
            default: (0..<random.below(4)).map { _ in random.below(2) == 0 ? words(2) : reference() }.joined()
            }
        if random.below(5) == 0 {
            var scalars = Array(text.unicodeScalars)
            let position = random.below(scalars.count + 1)
            if random.below(2) == 0, position < scalars.count {
                scalars.remove(at: position)
            } else {
                scalars.insert(contentsOf: random.pick(Self.words).unicodeScalars, at: position)
            }
            text = String(String.UnicodeScalarView(scalars))
        }
        return text
    }

    private mutating func operands() -> String {
        (0...random.below(3)).map { _ in
            switch random.below(4) {
            case 0: "'" + words(2).replacing("'", with: "''") + "'"
            case 1: "\"" + words(2).replacing("\"", with: "\"\"") + "\""
            default: reference()
            }
        }.joined(separator: space() + "+" + space())
    }

    private mutating func reference() -> String {
        let sign = random.pick(["$", "$", "$", ".", "%", "#"])
        var text = sign + "(" + space() + random.pick(Self.names)
        while random.below(4) == 0 { text += random.pick([".name", ".Tags", "[0]", "[1]", ".b", "[12]"]) }
        text += space()
        if random.below(4) == 0 {
            text += ":{" + words(2).replacing("\\", with: "\\\\").replacing("}", with: "\\}") + "}" + space()
        }
        if sign == "." || sign == "$" && random.below(3) == 0 || random.below(20) == 0 {
            text +=
                ","
                + random.pick(["0", "1", "2", " 3 ", "+4", "5", "8", "2147483647", "-0", "", "-1", "x", "2147483648"])
        }
        return text + ")"
    }

    private mutating func words(_ limit: Int) -> String {
        (0..<random.below(limit + 1)).map { _ in random.pick(Self.words) }.joined()
    }

    private mutating func space() -> String { random.pick(["", "", "", " ", "\u{2003}", "\n"]) }
}
