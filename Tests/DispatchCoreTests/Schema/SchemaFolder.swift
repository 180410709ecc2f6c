import DispatchCore
import Foundation

/// The folder `schemas`, judged by Python's jsonschema: a reader of JSON Schema that is not ours.
enum SchemaFolder {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// What is wrong with the schemas, their examples and the AsyncAPI document, a line each.
    static func findings() throws -> [Substring] {
        try python(["check", "schemas"])
    }

    /// One verdict for each document: nil for a valid one, else why it is none.
    static func verdicts(of documents: [(schema: String, document: [UInt8])]) throws -> [String?] {
        let file = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID()).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = documents.map { $0.schema + "\t" + String(decoding: $0.document, as: UTF8.self) + "\n" }
        try Data(lines.joined().utf8).write(to: file)
        return try python(["verdicts", "schemas", file.path]).map { line in
            line == "valid" ? nil : String(line)
        }
    }

    /// The examples of one schema.
    static func examples(of schema: CorpusSchema) throws -> [JSONValue] {
        let file = root.appending(path: "schemas/\(schema.rawValue).schema.json")
        return try JSONParser.parse(Array(Data(contentsOf: file)))["examples"]?.elements ?? []
    }

    private static func python(_ arguments: [String]) throws -> [Substring] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["scripts/lib/schemas.py"] + arguments
        process.currentDirectoryURL = root
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(hint: "It needs python3-jsonschema and python3-yaml.")
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    struct Failed: Error {
        let hint: String
    }
}
