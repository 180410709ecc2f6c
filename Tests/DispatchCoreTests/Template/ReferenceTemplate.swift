import DispatchCore

/// The template languages once more, by regular expressions and strings, to compare with: it shares no code with the
/// program and is allowed to be slow.
struct ReferenceTemplate {
    var properties: [JSONMember] = []
    let isExtended: Bool

    // A regular expression is compiled where it is made, so each is made once.
    private let single = /'((?:[^']|'')*)'/.matchingSemantics(.unicodeScalar)
    private let double = /"((?:[^"]|"")*)"/.matchingSemantics(.unicodeScalar)
    private let token =
        /([$.%#])\([\s]*([A-Za-z0-9_.\[\]]+)[\s]*(?::\{((?:\\(?:.|\n|\r)|[^}\\])*)\}[\s]*)?(?:,([^)]*))?\)/
        .matchingSemantics(.unicodeScalar)
    private let number = /(0|([1-9][0-9]*))(\.[0-9]+)?((e|E)(\+|-)?[0-9]+)?/.matchingSemantics(.unicodeScalar)
    private let length = /[\t-\r ]*([+-]?)([0-9]+)[\t-\r ]*/.matchingSemantics(.unicodeScalar)
    private let escape = /\\((?:.|\n|\r))/.matchingSemantics(.unicodeScalar)
    private let name = /[A-Za-z0-9_]{1,120}/.matchingSemantics(.unicodeScalar)
    private let path = /[A-Za-z0-9_]{1,120}(\.[A-Za-z0-9_]{1,120}|\[[0-9]{1,18}\])*/.matchingSemantics(.unicodeScalar)

    init(isExtended: Bool) {
        self.isExtended = isExtended
    }

    /// What a text becomes; nil when it is refused.
    enum Result: Equatable {
        case same
        case text(String)
        case json(String)
    }

    func evaluate(_ text: String) -> Result? {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first else { return .same }
        if first == "{" {
            guard scalars.count > 1, scalars.last == "}" else { return nil }
            guard let pieces = operands(trimmedEnd(String(text.unicodeScalars.dropFirst().dropLast()))) else {
                return nil
            }
            return .text(pieces.map(\.text).joined())
        }
        if isExtended { return inline(text) }
        guard "$.%#".unicodeScalars.contains(first) else { return .same }
        guard let pieces = operands(text) else { return nil }
        if pieces.count == 1, let json = pieces[0].json { return .json(json) }
        return .text(pieces.map(\.text).joined())
    }

    private struct Piece {
        let text: String

        /// What `#` makes of it, if it is one.
        var json: String?
    }

    // MARK: Grammar

    /// Operands with a plus between them.
    private func operands(_ source: String) -> [Piece]? {
        var rest = Substring(source)
        var pieces: [Piece] = []
        while true {
            rest = trimmedStart(rest)
            if let match = rest.prefixMatch(of: single) {
                pieces.append(Piece(text: doubled("'", in: match.1)))
                rest = rest[match.range.upperBound...]
                if rest.unicodeScalars.first == "'" { return nil }
            } else if let match = rest.prefixMatch(of: double) {
                pieces.append(Piece(text: doubled("\"", in: match.1)))
                rest = rest[match.range.upperBound...]
                if rest.unicodeScalars.first == "\"" { return nil }
            } else if let (piece, end) = reference(rest) {
                pieces.append(piece)
                rest = rest[end...]
            } else {
                return nil
            }
            if rest.isEmpty { break }
            rest = trimmedStart(rest)
            guard rest.unicodeScalars.first == "+" else { return nil }
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
        return pieces.count > 1 && pieces.contains { $0.json != nil } ? nil : pieces
    }

    private func inline(_ source: String) -> Result? {
        var rest = Substring(source)
        var text = ""
        var isChanged = false
        var alone: Piece?
        while let first = rest.unicodeScalars.first {
            let second = rest.unicodeScalars.dropFirst().first
            if first == "\\", let second, "#$.%{\\".unicodeScalars.contains(second) {
                text.unicodeScalars.append(second)
                rest = Substring(rest.unicodeScalars.dropFirst(2))
                isChanged = true
            } else if "$.%#".unicodeScalars.contains(first), second == "(" {
                guard let (piece, end) = reference(rest) else { return nil }
                alone = text.isEmpty && !isChanged && end == rest.endIndex ? piece : nil
                text += piece.text
                rest = rest[end...]
                isChanged = true
            } else {
                text.unicodeScalars.append(first)
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        if let json = alone?.json { return .json(json) }
        return isChanged ? .text(text) : .same
    }

    /// `$(name:{default},length)` and its like at the beginning.
    private func reference(_ source: Substring) -> (Piece, String.Index)? {
        guard let match = source.prefixMatch(of: token) else { return nil }
        guard let value = value(String(match.2)) else { return nil }
        let sign = String(match.1)
        var length: Int?
        if let digits = match.4 {
            guard
                let number = digits.wholeMatch(of: self.length),
                let parsed = Int(number.2), parsed <= 2_147_483_647, number.1 != "-" || parsed == 0
            else { return nil }
            length = parsed
        }
        guard (sign == ".") == (length != nil) || sign == "$" else { return nil }
        let fallback = match.3.map {
            String($0).replacing(escape) { String($0.1) }
        }
        let text = value.flatMap(plain) ?? fallback ?? ""
        switch sign {
        case "%": return (Piece(text: encoded(text)), match.range.upperBound)
        case ".": return (Piece(text: dotted(text, length ?? 0)), match.range.upperBound)
        case "#": return (Piece(text: text, json: json(value, text)), match.range.upperBound)
        default: return (Piece(text: length.map { clipped(text, $0) } ?? text), match.range.upperBound)
        }
    }

    // MARK: Values

    /// The value of a path; nil when the path is not allowed, a nil inside when there is no value.
    private func value(_ path: String) -> JSONValue?? {
        if !isExtended {
            guard path.wholeMatch(of: name) != nil else { return nil }
            return .some(member(path, of: .object(properties)))
        }
        guard path.wholeMatch(of: self.path) != nil else {
            return nil
        }
        let steps = path.replacing("[", with: ".[").split(separator: ".")
        guard steps.count <= 33 else { return nil }
        var value: JSONValue? = .object(properties)
        for step in steps {
            if step.first == "[" {
                let index = Int(step.dropFirst().dropLast()) ?? -1
                value = value?.elements.flatMap { index < $0.count ? $0[index] : nil }
            } else {
                value = value.flatMap { member(String(step), of: $0) }
            }
        }
        return .some(value == .null ? nil : value)
    }

    private func member(_ name: String, of value: JSONValue) -> JSONValue? {
        value.members?.first { $0.name.utf8.map(lowered) == name.utf8.map(lowered) }?.value
    }

    private func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

    private func plain(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): String(value)
        case .array, .object: compact(value)
        }
    }

    private func json(_ value: JSONValue?, _ text: String) -> String {
        if isExtended, let value, value.string == nil { return compact(value) }
        return text.wholeMatch(of: number) != nil ? text : Self.quoted(text)
    }

    private func compact(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(compact).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + compact($0.value) }.joined(separator: ",") + "}"
        case .null: "null"
        case .number, .bool: plain(value) ?? ""
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    // MARK: Forms

    private func clipped(_ text: String, _ units: Int) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard String(result).utf16.count + String(scalar).utf16.count <= units else { break }
            result.append(scalar)
        }
        return String(result)
    }

    private func dotted(_ text: String, _ units: Int) -> String {
        guard text.utf16.count > units else { return text }
        return clipped(text, max(units - 3, 0)) + String("...".prefix(units))
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private func doubled(_ quote: String, in text: Substring) -> String {
        String(text).replacing(quote + quote, with: quote)
    }

    private func trimmedStart(_ text: Substring) -> Substring {
        Substring(text.unicodeScalars.drop { $0.properties.isWhitespace })
    }

    private func trimmedEnd(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.reversed().drop { $0.properties.isWhitespace }.reversed()))
    }
}
