import DispatchCore

extension DocumentGenerator {
    /// Pieces that have broken other systems: escapes, markup, controls, joined and combined characters.
    static let pieces =
        [
            "a", "Dinner on Friday?", " ", "  ", "\"", "\\", "/", "\\u0041", "\u{1}", "\u{8}\u{b}\u{c}", "\n", "\r\n",
            "\t",
            "\u{1f}", "\u{7f}", "\u{85}", "\u{2028}", "<b>&'\"</b>", "]]>", "&amp;", "<!--", "$(x)", "{x}", "%@", "%n",
            "é", "e\u{301}", "Å", "\u{212b}", "ß", "İ", "ﬃ", "א", "\u{202e}abc", "\u{200d}", "\u{fe0f}", "\u{feff}",
            "中文", "한", "🎉", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "👍🏽", "\u{301}\u{302}", "\u{fffd}", "\u{10fffd}",
            "z\u{310}\u{311}\u{312}\u{313}\u{314}\u{315}", "'; DROP TABLE x; --", "../..", "null", "true", "0",
        ] + [0xFFFE, 0xFFFF, 0xFDD0, 0x1_FFFF, 0x10_FFFF].compactMap { Unicode.Scalar(UInt32($0)).map { String($0) } }

    /// A text of 1 to `limit` bytes.
    mutating func words(upTo limit: Int) -> String {
        let longest = isLavish ? dice.pick([8, 8, 24, 24, 60, 200, limit]) : dice.pick([8, 24, 60])
        let length = min(limit, longest)
        guard chance(60) else { return String(repeating: dice.pick(["x", "W"]), count: 1 + dice.below(length)) }
        var text = ""
        while true {
            let piece = dice.pick(Self.pieces)
            guard text.utf8.count + piece.utf8.count <= length else { return text.isEmpty ? "x" : text }
            text += piece
            if chance(15) { return text }
        }
    }

    mutating func name() -> JSONValue { .string(words(upTo: 256)) }

    /// A name that no other of the same list has.
    mutating func uniqueName(_ number: Int) -> JSONValue { .string("\(number)" + words(upTo: 250)) }

    /// A name without control characters.
    mutating func categoryID() -> JSONValue {
        let scalars = words(upTo: 256).unicodeScalars.filter { $0.properties.generalCategory != .control }
        return .string(scalars.isEmpty ? "c" : String(String.UnicodeScalarView(scalars)))
    }

    mutating func word() -> String {
        dice.pick(["alice", "news", "event-invite", "message-alice", "a", "lang:en", "vip_2", "x.y", "B@c#d"])
    }

    mutating func url() -> JSONValue {
        .string(dice.pick(["https://", "HTTPS://", "http://", "myapp:", "ms-winsoundevent:", "mailto:"]) + address())
    }

    mutating func secureURL() -> JSONValue { .string(dice.pick(["https://", "https://", "HttpS://"]) + address()) }

    private mutating func address() -> String {
        let path = dice.pick(["", "/", "/a?b=1&c='2'", "/ä<>\"\\", "/%F0%9F%8E%89#x", ":8443/[x]", "/🎉"])
        let tail = isLavish && chance(5) ? String(repeating: "p", count: 2_000) : ""
        return "example.com" + path + tail
    }

    mutating func color() -> JSONValue { choice("#000000", "#ff8800", "#AbCdEf") }

    mutating func locale() -> String {
        dice.pick(["en", "en-GB", "de", "pt-BR", "zh-Hant-TW", "x-klingon", "sr-Latn", "fr", "fr-CA", "i-default"])
    }

    mutating func time() -> JSONValue {
        choice(
            "2026-12-01T12:00:00Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999Z",
            "1969-12-31T23:59:59-05:00",
            "2026-12-01t12:00:00.5+14:00"
        )
    }
}

extension DocumentGenerator {
    /// Any JSON, nested up to `depth`.
    mutating func anything(depth: Int) -> JSONValue {
        switch dice.below(depth > 0 ? 8 : 6) {
        case 0: .null
        case 1: flag()
        case 2, 3: anyNumber()
        case 4, 5: .string(chance(10) ? "" : words(upTo: 300))
        case 6: .array((0..<dice.below(4)).map { _ in anything(depth: depth - 1) })
        default: .object(members(dice.below(4), depth: depth - 1))
        }
    }

    /// Members with names of their own.
    mutating func members(_ count: Int, depth: Int) -> [JSONMember] {
        (0..<count).map { number in
            let name = number == 0 && chance(10) ? "" : "\(number)" + words(upTo: 40)
            return JSONMember(name: name, value: anything(depth: depth))
        }
    }

    mutating func object(depth: Int) -> JSONValue { .object(members(dice.below(4), depth: depth)) }

    /// What stands in `data`: own members, and names that the hub or a vendor uses too.
    mutating func data() -> JSONValue {
        var list = members(1 + dice.below(4), depth: isLavish && chance(5) ? 20 : 2)
        let known = [
            "notificationId", "category", "thread", "link", "actions", "badge", "richId", "title", "my-attachment",
            "url", "action",
        ]
        if chance(30) { list.append(JSONMember(name: dice.pick(known), value: anything(depth: 1))) }
        let kept = ["from", "gcm", "google.x", "gcm.y", "collapse_key", "message_type", "aps2", "Aps"]
        if chance(5) { list.append(JSONMember(name: dice.pick(kept), value: anything(depth: 0))) }
        return .object(list)
    }
}
