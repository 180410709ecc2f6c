/// Collects the segments of a body, joining bytes that are always the same.
struct TemplateBuilder {
    private var segments: [TemplateProgram.Segment] = []
    private var literal: [UInt8] = []

    /// What has been collected.
    var program: TemplateProgram {
        TemplateProgram(segments: literal.isEmpty ? segments : segments + [.literal(literal)])
    }

    /// Whether the last byte, if it is always the same, is `byte`.
    func ends(with byte: UInt8) -> Bool { literal.last == byte }

    mutating func literal(_ bytes: some Collection<UInt8>) {
        literal.append(contentsOf: bytes)
    }

    mutating func literal(_ text: StaticString) {
        literal.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func add(_ segment: TemplateProgram.Segment) {
        if !literal.isEmpty { segments.append(.literal(literal)) }
        literal = []
        segments.append(segment)
    }

    /// Adds a text that stands in a larger one.
    mutating func text(_ text: TemplateText, escaping: TemplateEscaping) {
        for part in text.parts {
            switch part {
            case .literal(let bytes): escaping.append(bytes, to: &literal)
            case .value(let reference), .json(let reference): add(.value(reference, escaping))
            }
        }
    }
}
