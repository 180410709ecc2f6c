import DispatchCore
import Foundation

/// The documents that have a schema, a decoder and a corpus; the raw value is the name of their files.
enum CorpusSchema: String, CaseIterable, Sendable {
    case sendJob = "send-job"
    case installation
    case category
    case receipt

    /// What the decoder says against a document, or nil when it takes it.
    func refusal(of document: JSONValue) -> JobError? {
        do throws(JobError) {
            switch self {
            case .sendJob: _ = try SendJob(decoding: document, messageID: Self.messageID(for: document))
            case .installation: _ = try Installation(decoding: document)
            case .category: _ = try ActionCategory(decoding: document)
            case .receipt: _ = try Receipt(decoding: document)
            }
            return nil
        } catch {
            return error
        }
    }

    /// The corpus: one case a line.
    func cases() throws -> [CorpusCase] {
        let file = SchemaFolder.root.appending(path: "Tests/DispatchCoreTests/Corpus/\(rawValue).jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try CorpusCase(self, line: String(line))
        }
    }

    /// A job's id may come with the message instead, which the schema of the body knows nothing of.
    private static func messageID(for document: JSONValue) -> String? {
        document["id"] == nil ? "0193f2c4-7d1e-7abc-8def-0123456789ab" : nil
    }
}
