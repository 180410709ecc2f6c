import DispatchCore

/// The piece of a body around a mistake, with a caret under it.
struct MistakeMark {
    /// Shown on each side of the mistake.
    private static let reach = 40

    let lines: [String]

    /// Nil when no place is known.
    ///
    /// With the path `$` the offset counts in the body, else in the text at the path, such as a tag expression.
    init?(body: [UInt8], path: String?, offset: Int?) {
        guard let offset, offset >= 0 else { return nil }
        if let path, path != "$", let value = Self.text(at: path, in: body) {
            lines = Self.lines(Array(value.utf8), offset, "\(ShownText.line(path)), byte \(offset):")
        } else if path == nil || path == "$" {
            lines = Self.lines(body, offset, "byte \(offset):")
        } else {
            return nil
        }
    }

    private static func lines(_ bytes: [UInt8], _ offset: Int, _ title: String) -> [String] {
        let middle = min(offset, bytes.count)
        let start = boundary(bytes, max(0, middle - reach))
        let end = boundary(bytes, min(bytes.count, middle + reach))
        let before = shown(bytes[start..<middle])
        let after = shown(bytes[middle..<max(middle, end)])
        let caret = String(repeating: " ", count: before.unicodeScalars.count) + "^"
        return [title, before + after, caret]
    }

    /// Never in the middle of a character.
    private static func boundary(_ bytes: [UInt8], _ index: Int) -> Int {
        var index = index
        while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
        return index
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        ShownText.line(String(decoding: bytes, as: UTF8.self))
    }

    private static func text(at path: String, in body: [UInt8]) -> String? {
        guard path.hasPrefix("$"), var value = try? JSONParser.parse(body) else { return nil }
        let steps = path.dropFirst().split { $0 == "." || $0 == "[" || $0 == "]" }
        for step in steps {
            if let index = Int(step), let elements = value.elements, elements.indices.contains(index) {
                value = elements[index]
            } else if let member = value[String(step)] {
                value = member
            } else {
                return nil
            }
        }
        return value.string
    }
}
