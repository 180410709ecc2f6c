import DispatchCore
import Testing

@Suite struct SchemaAgreementTests {
    @Test("the decoder says of every document what its corpus says", arguments: CorpusSchema.allCases)
    func decoder(schema: CorpusSchema) throws {
        let cases = try schema.cases()
        #expect(cases.count >= 100)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for example in cases {
            let refusal = schema.refusal(of: example.document)
            #expect((refusal == nil) == example.isValid, "\(example.name): \(refusal?.description ?? "taken")")
            #expect(refusal?.code.rawValue == example.code, "\(example.name)")
            #expect(refusal?.path == example.path, "\(example.name)")
        }
    }

    @Test("the schema takes exactly the documents that the decoder takes")
    func schema() throws {
        let cases = try CorpusSchema.allCases.flatMap { try $0.cases() }
        let verdicts = try SchemaFolder.verdicts(
            of: cases.map { ($0.schema.rawValue, JSONWriter.encode($0.document)) }
        )
        #expect(verdicts.count == cases.count)
        for (example, verdict) in zip(cases, verdicts) {
            #expect(
                (verdict == nil) == (example.schema.refusal(of: example.document) == nil),
                "\(example.schema.rawValue), \(example.name): \(verdict ?? "valid")"
            )
        }
    }

    @Test("the schema and the decoder judge alike what differs from a valid document in one place", arguments: [1, 2])
    func mutants(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        var mutants: [(schema: CorpusSchema, document: JSONValue)] = []
        for example in try CorpusSchema.allCases.flatMap({ try $0.cases() }) where example.isValid {
            // The longest ones are about a length, and would take most of the time.
            guard JSONWriter.encode(example.document).count < 2_000 else { continue }
            let all = example.document.mutants
            mutants += (0..<4).map { _ in (example.schema, generator.pick(all)) }
        }
        let verdicts = try SchemaFolder.verdicts(
            of: mutants.map { ($0.schema.rawValue, JSONWriter.encode($0.document)) }
        )
        #expect(verdicts.count == mutants.count)
        for (mutant, verdict) in zip(mutants, verdicts) {
            let refusal = mutant.schema.refusal(of: mutant.document)
            // A schema knows no grammar of tag expressions and templates.
            guard refusal?.code != .badExpression, refusal?.code != .badTemplate else { continue }
            let text = String(decoding: JSONWriter.encode(mutant.document), as: UTF8.self)
            #expect(
                (verdict == nil) == (refusal == nil),
                "\(refusal?.description ?? "taken"); \(verdict ?? "valid"): \(text)"
            )
        }
    }

    @Test("the schemas, their examples and the AsyncAPI document are sound")
    func soundness() throws {
        #expect(try SchemaFolder.findings() == [])
    }

    @Test("the decoder takes every example of its schema", arguments: CorpusSchema.allCases)
    func examples(schema: CorpusSchema) throws {
        let examples = try SchemaFolder.examples(of: schema)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(schema.refusal(of: example) == nil)
        }
    }
}
