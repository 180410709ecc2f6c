/// Turns an XML body into segments: what has no expression stays as it is written.
///
/// Looked at are the values of attributes, and the text of elements that have no elements in them.
struct XMLTemplateCompiler {
    let syntax: TemplateSyntax
    private let source: [UInt8]
    private var reader: XMLReader
    private var builder = TemplateBuilder()

    /// How far the source has been taken over.
    private var copied = 0

    private var elements: [Element] = []
    private(set) var rootName = ""

    /// An element that is open.
    private struct Element {
        let path: String

        /// Where its content begins.
        let start: Int

        var text: [UInt8] = []
        var isLeaf = true

        /// How often each name occurred among its children.
        var counts: [String: Int] = [:]
    }

    init(_ source: [UInt8], syntax: TemplateSyntax) {
        self.syntax = syntax
        self.source = source
        reader = XMLReader(source)
        copied = Self.declarationLength(in: source)
    }

    /// The declaration is left out: it may name an encoding that the body is not in.
    private static func declarationLength(in source: [UInt8]) -> Int {
        guard source.starts(with: "<?xml ".utf8), let end = source.firstIndex(of: UInt8(ascii: ">")) else { return 0 }
        return end + 1
    }

    /// Reads the whole document.
    mutating func compile() throws(TemplateError) -> TemplateProgram {
        while let event = try nextEvent() {
            switch event {
            case .start(let name, let attributes, let isEmpty): try start(name, attributes, isEmpty: isEmpty)
            case .text(let text):
                guard !elements.isEmpty else { continue }
                elements[elements.count - 1].text += text
            case .end(let offset): try end(at: offset)
            }
        }
        builder.literal(source[copied...])
        return builder.program
    }

    private mutating func nextEvent() throws(TemplateError) -> XMLEvent? {
        do {
            return try reader.next()
        } catch {
            let reason = "The body is not acceptable XML: expected \(error.expected)."
            throw TemplateError(.invalidXML, path: elements.last?.path ?? "/", offset: error.offset, reason: reason)
        }
    }

    private mutating func start(_ name: String, _ attributes: [XMLAttribute], isEmpty: Bool) throws(TemplateError) {
        if elements.isEmpty { rootName = name }
        let path = path(of: name)
        for attribute in attributes {
            let attributePath = "\(path)/@\(JobError.excerpt(of: attribute.name))"
            try replace(attribute.range, attribute.value, escaping: .xmlAttribute, path: attributePath)
        }
        if !isEmpty { elements.append(Element(path: path, start: reader.offset)) }
    }

    private mutating func path(of name: String) -> String {
        guard let parent = elements.indices.last else { return "/" + JobError.excerpt(of: name) }
        elements[parent].isLeaf = false
        elements[parent].text = []
        let count = (elements[parent].counts[name] ?? 0) + 1
        elements[parent].counts[name] = count
        let step = JobError.excerpt(of: name)
        return elements[parent].path + "/" + (count == 1 ? step : "\(step)[\(count)]")
    }

    private mutating func end(at offset: Int) throws(TemplateError) {
        guard let element = elements.popLast(), element.isLeaf else { return }
        try replace(element.start..<offset, element.text, escaping: .xmlText, path: element.path)
    }

    private mutating func replace(
        _ range: Range<Int>,
        _ value: [UInt8],
        escaping: TemplateEscaping,
        path: String
    ) throws(TemplateError) {
        let text: TemplateText
        do {
            text = try TemplateText(parsing: String(decoding: value, as: UTF8.self), syntax: syntax)
        } catch {
            throw error.at(path)
        }
        guard !text.isLiteral else { return }
        builder.literal(source[copied..<range.lowerBound])
        builder.text(text, escaping: escaping)
        copied = range.upperBound
    }
}
