/// Reads one XML 1.0 document of UTF-8, refusing what a push has no need of and an attacker has.
///
/// No document type and therefore no entities but the five; 32 levels of elements; 64 attributes of an element. An XML
/// declaration is passed over, whatever encoding it names: the document came as text.
struct XMLReader {
    static let depthLimit = 32
    static let attributeLimit = 64

    let bytes: [UInt8]
    var offset = 0

    /// The names of the elements that are open.
    private(set) var open: [String] = []

    private var isRootClosed = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next event; nil after the document's end.
    mutating func next() throws(XMLError) -> XMLEvent? {
        while true {
            if open.isEmpty {
                try skipWhiteSpaceOutsideOfRoot()
                guard offset < bytes.count else {
                    guard isRootClosed else { throw error("an element") }
                    return nil
                }
            }
            guard let byte = peek() else { throw error("the end tag of the element that is open") }
            guard byte == UInt8(ascii: "<") else { return .text(try characterData()) }
            if takes("<!--") {
                try skip(through: "-->", "the end of a comment")
            } else if takes("<![CDATA[") {
                return .text(try rawData())
            } else if takes("<?") {
                try skip(through: "?>", "the end of an instruction")
            } else if takes("</") {
                return try endTag()
            } else {
                return try startTag()
            }
        }
    }

    private mutating func startTag() throws(XMLError) -> XMLEvent {
        guard !isRootClosed else { throw error("the end of the document after its root") }
        guard open.count < Self.depthLimit else { throw error("at most \(Self.depthLimit) levels of elements") }
        offset += 1
        let name = try name()
        var attributes: [XMLAttribute] = []
        while true {
            let hasSpace = skipWhiteSpace()
            if takes("/>") {
                isRootClosed = open.isEmpty
                return .start(name: name, attributes: attributes, isEmpty: true)
            }
            if takes(">") {
                open.append(name)
                return .start(name: name, attributes: attributes, isEmpty: false)
            }
            guard hasSpace else { throw error("white space, “>” or “/>”") }
            attributes.append(try attribute(after: attributes))
        }
    }

    private mutating func attribute(after others: [XMLAttribute]) throws(XMLError) -> XMLAttribute {
        guard others.count < Self.attributeLimit else { throw error("at most \(Self.attributeLimit) attributes") }
        let start = offset
        let name = try name()
        guard !others.contains(where: { $0.name.hasSameBytes(as: name) }) else {
            throw XMLError(offset: start, expected: "each attribute only once")
        }
        skipWhiteSpace()
        guard takes("=") else { throw error("“=”") }
        skipWhiteSpace()
        guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error("a quoted value")
        }
        offset += 1
        let valueStart = offset
        let value = try attributeValue(quote)
        defer { offset += 1 }
        return XMLAttribute(name: name, value: value, range: valueStart..<offset)
    }

    private mutating func endTag() throws(XMLError) -> XMLEvent {
        let start = offset - 2
        let name = try name()
        guard let last = open.last, last.hasSameBytes(as: name) else {
            throw XMLError(offset: start, expected: "the end tag of the element that is open")
        }
        skipWhiteSpace()
        guard takes(">") else { throw error("“>”") }
        open.removeLast()
        isRootClosed = open.isEmpty
        return .end(offset: start)
    }

    private mutating func skipWhiteSpaceOutsideOfRoot() throws(XMLError) {
        skipWhiteSpace()
        guard offset < bytes.count, bytes[offset] != UInt8(ascii: "<") else { return }
        throw error("no text outside of the root element")
    }
}

extension XMLReader {
    func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func error(_ expected: String) -> XMLError { XMLError(offset: offset, expected: expected) }

    /// Moves over `token` if it is here.
    mutating func takes(_ token: StaticString) -> Bool {
        let token = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        guard bytes.count - offset >= token.count else { return false }
        guard bytes[offset..<(offset + token.count)].elementsEqual(token) else { return false }
        offset += token.count
        return true
    }

    /// Moves over white space, and tells whether there was any.
    @discardableResult
    mutating func skipWhiteSpace() -> Bool {
        let start = offset
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            offset += 1
        }
        return offset > start
    }

    /// Moves behind the next `token`.
    mutating func skip(through token: StaticString, _ expected: String) throws(XMLError) {
        while offset < bytes.count {
            if takes(token) { return }
            try checkCharacter()
            offset += 1
        }
        throw error(expected)
    }
}
