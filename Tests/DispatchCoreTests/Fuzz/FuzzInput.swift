import DispatchCore

/// One input of the fuzz: what the sender meant, and what became of it.
struct FuzzInput {
    /// What was generated before it was broken, if it was.
    enum Kind: String, CaseIterable {
        case job, installation, category, receipt, expression, template
    }

    let kind: Kind

    /// Whether nothing was done to the document: it must decode.
    let isIntact: Bool

    let bytes: [UInt8]

    /// The input with this number, the same for the same seed.
    init(seed: UInt64, number: UInt64) {
        // The numbers are far apart in the sequence of the seed.
        var generator = DocumentGenerator(seed: seed &+ number &* 0xD134_2543_DE82_EF95)
        generator.isLavish = generator.chance(10)
        kind = generator.kind()
        var document = generator.document(of: kind)
        isIntact = generator.chance(35)
        if !isIntact, generator.chance(50) { document = generator.broken(document) }
        // Expressions have a syntax of their own, inside or outside of JSON.
        let isPlain = kind == .expression
        var bytes = isPlain ? Array((document.string ?? "").utf8) : JSONWriter.encode(document)
        if !isIntact, generator.chance(50) { bytes = generator.damaged(bytes) }
        self.bytes = bytes
    }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension DocumentGenerator {
    fileprivate mutating func kind() -> FuzzInput.Kind {
        switch dice.below(20) {
        case 0..<11: .job
        case 11..<13: .installation
        case 13, 14: .category
        case 15: .receipt
        case 16: .expression
        default: .template
        }
    }

    fileprivate mutating func document(of kind: FuzzInput.Kind) -> JSONValue {
        switch kind {
        case .job: job()
        case .installation: installation()
        case .category: category()
        case .receipt: receipt()
        case .expression: .string(expression())
        case .template: template()
        }
    }
}
