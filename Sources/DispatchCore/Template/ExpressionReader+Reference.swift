extension ExpressionReader {
    /// The longest name of a property, as in Azure Notification Hubs.
    static let nameLimit = 120

    /// The longest way into a value: as deep as a job can be.
    static let stepLimit = 32

    /// Reads `sign ( name [ :{ default } ] [ , length ] )`, with the cursor on the sign.
    mutating func reference() throws(TemplateError) -> TemplatePart {
        let start = offset
        let sign = bytes[start]
        offset += 1
        guard peek() == UInt8(ascii: "(") else {
            throw error(.missingOpenParenthesis, "Expected “(” after the sign of an expression.")
        }
        offset += 1
        var reference = try name()
        if peek() == UInt8(ascii: ":") { reference.fallback = try fallback() }
        let length = try length(of: sign, from: start)
        guard peek() == UInt8(ascii: ")") else {
            throw error(.missingCloseParenthesis, "Expected “)” at the end of an expression.")
        }
        offset += 1
        switch sign {
        case UInt8(ascii: "."): reference.form = .dotted(length ?? 0)
        case UInt8(ascii: "%"): reference.form = .encoded
        default: reference.form = length.map { .clipped($0) } ?? .whole
        }
        return sign == UInt8(ascii: "#") ? .json(reference) : .value(reference)
    }

    /// Reads the name up to what follows it.
    private mutating func name() throws(TemplateError) -> TemplateReference {
        skipWhiteSpace()
        let start = offset
        while let byte = peek(), byte != UInt8(ascii: ")"), byte != UInt8(ascii: ","), !isFallback {
            offset += 1
        }
        guard offset < end else {
            throw error(.missingCloseParenthesis, "Expected “)” at the end of an expression.")
        }
        var nameEnd = offset
        while nameEnd > start, let space = WhiteSpace.lengthBefore(nameEnd, in: bytes) {
            nameEnd -= space
        }
        guard nameEnd > start else { throw error(.missingProperty, at: start, "Expected the name of a property.") }
        guard syntax == .extended else {
            return TemplateReference(name: try checkedName(start..<nameEnd))
        }
        return try path(start..<nameEnd)
    }

    private var isFallback: Bool {
        offset + 1 < end && bytes[offset] == UInt8(ascii: ":") && bytes[offset + 1] == UInt8(ascii: "{")
    }

    private func checkedName(_ range: Range<Int>) throws(TemplateError) -> String {
        let name = bytes[range]
        guard
            let bad = name.firstIndex(where: { !TemplateProperties.isNameByte($0) })
                ?? (name.isEmpty ? range.lowerBound : nil)
        else {
            guard name.count <= Self.nameLimit else {
                let reason = "The name has \(name.count) characters; at most \(Self.nameLimit) are allowed."
                throw error(.propertyNameTooLong, at: range.lowerBound, reason)
            }
            return TemplateProperties.key(name)
        }
        throw error(.invalidPropertyName, at: bad, "A property's name has only ASCII letters, digits and “_”.")
    }

    /// Reads `name.name[0]…`.
    private func path(_ range: Range<Int>) throws(TemplateError) -> TemplateReference {
        var position = stepEnd(range.lowerBound, range)
        var reference = TemplateReference(name: try checkedName(range.lowerBound..<position))
        while position < range.upperBound {
            guard reference.steps.count < Self.stepLimit else {
                throw error(.pathTooDeep, at: position, "A path has at most \(Self.stepLimit) steps.")
            }
            if bytes[position] == UInt8(ascii: "[") {
                reference.steps.append(.element(try index(&position, range)))
            } else if bytes[position] == UInt8(ascii: ".") {
                let next = stepEnd(position + 1, range)
                reference.steps.append(.member(try checkedName((position + 1)..<next)))
                position = next
            } else {
                throw error(.invalidPropertyName, at: position, "Expected “.” or “[” after “]”.")
            }
        }
        return reference
    }

    private func stepEnd(_ start: Int, _ range: Range<Int>) -> Int {
        bytes[start..<range.upperBound].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
            ?? range.upperBound
    }

    /// Reads `[digits]`, with `position` on the bracket.
    private func index(_ position: inout Int, _ range: Range<Int>) throws(TemplateError) -> Int {
        let start = position + 1
        let digits = bytes[start..<range.upperBound].prefix(while: JSONReader.isDigit)
        guard let index = Int(String(decoding: digits, as: UTF8.self)), digits.endIndex < range.upperBound,
            bytes[digits.endIndex] == UInt8(ascii: "]")
        else { throw error(.invalidPropertyName, at: start, "Expected an element's number and “]”.") }
        position = digits.endIndex + 1
        return index
    }

    /// Reads `:{ text }`, in which a backslash makes the next character stand for itself.
    private mutating func fallback() throws(TemplateError) -> [UInt8] {
        let start = offset
        var text: [UInt8] = []
        offset += 2
        while let byte = peek(), byte != UInt8(ascii: "}") {
            if byte == UInt8(ascii: "\\") { offset += 1 }
            guard let escaped = peek() else { break }
            text.append(escaped)
            offset += 1
        }
        guard peek() != nil else {
            throw error(.missingDefaultEnd, at: start, "The default that begins here has no closing “}”.")
        }
        offset += 1
        skipWhiteSpace()
        return text
    }

    /// Reads `, length`, if it is there and may or must be.
    private mutating func length(of sign: UInt8, from start: Int) throws(TemplateError) -> Int? {
        guard peek() == UInt8(ascii: ",") else {
            guard sign != UInt8(ascii: "."), peek() == UInt8(ascii: ")") else {
                return try lengthIsMissing(sign, start)
            }
            return nil
        }
        guard sign != UInt8(ascii: "%"), sign != UInt8(ascii: "#") else {
            throw error(.lengthNotAllowed, "“%” and “#” take no length.")
        }
        offset += 1
        let first = offset
        guard let close = bytes[first..<end].firstIndex(of: UInt8(ascii: ")")) else {
            throw error(.missingCloseParenthesis, at: end, "Expected “)” at the end of an expression.")
        }
        offset = close
        guard let length = Self.length(bytes[first..<close]) else {
            throw error(.invalidLength, at: first, "A length is a number from 0 to 2147483647.")
        }
        return length
    }

    private func lengthIsMissing(_ sign: UInt8, _ start: Int) throws(TemplateError) -> Int? {
        guard sign == UInt8(ascii: "."), peek() == UInt8(ascii: ")") else { return nil }
        throw error(.missingLength, at: start, "“.” needs a length, as in “.(title,20)”.")
    }

    /// The number as .NET's `Int32.TryParse` reads it: white space around it and a sign before it are allowed.
    private static func length(_ text: ArraySlice<UInt8>) -> Int? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var digits = text.drop(while: isSpace)
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        guard !digits.isEmpty, digits.allSatisfy(JSONReader.isDigit) else { return nil }
        guard let value = Int32(String(decoding: digits, as: UTF8.self)), !isNegative || value == 0 else { return nil }
        return Int(value)
    }
}
