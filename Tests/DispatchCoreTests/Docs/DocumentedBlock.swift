import DispatchCore
import Foundation

/// A block of JSON in docs/job-format.md: what it is, and which platforms the paragraph below it says would refuse it.
struct DocumentedBlock: Sendable, CustomStringConvertible {
    /// The word after `json` on the opening fence: `job`, `installation`, `category`, `receipt` or `event`.
    let kind: String
    let line: Int
    let text: String

    /// Code by platform, from the paragraph `Refused: …`.
    let refusals: [String: String]

    var description: String { "\(kind) in line \(line)" }

    var bytes: [UInt8] { Array(text.utf8) }

    /// The schema a document of this kind is judged by.
    var schema: String { kind == "job" ? CorpusSchema.sendJob.rawValue : kind }

    static let file = SchemaFolder.root.appending(path: "docs/job-format.md")

    static func all() throws -> [DocumentedBlock] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        return lines.indices.filter { lines[$0].hasPrefix("```json") }.compactMap { start in
            guard let end = lines[(start + 1)...].firstIndex(of: "```") else { return nil }
            let below = lines[(end + 1)...].drop(while: \.isEmpty).prefix { !$0.isEmpty }
            return DocumentedBlock(
                kind: lines[start].dropFirst(7).trimmingCharacters(in: .whitespaces),
                line: start + 1,
                text: lines[(start + 1)..<end].joined(separator: "\n"),
                refusals: refusals(in: below.joined(separator: " "))
            )
        }
    }

    private static func refusals(in text: String) -> [String: String] {
        guard text.hasPrefix("Refused: ") else { return [:] }
        let words = text.matches(of: /`([^`]+)` `([^`]+)`/).map { (String($0.1), String($0.2)) }
        return Dictionary(uniqueKeysWithValues: words)
    }
}
