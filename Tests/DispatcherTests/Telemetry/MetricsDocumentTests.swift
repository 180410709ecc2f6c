import Foundation
import Testing

@testable import Dispatcher

/// docs/metrics.md and the program say the same.
@Suite struct MetricsDocumentTests {
    @Test("the document has every metric, with its kind, labels and sentence, and no other")
    func document() throws {
        let folder = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appendingPathComponent("docs/metrics.md"), encoding: .utf8)
        var found: [String] = []
        for line in text.split(separator: "\n") where line.hasPrefix("| `") && line.contains("_") {
            found.append(String(line))
        }
        let expected = MetricFamily.all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(family.name)` | \(family.kind.rawValue) | \(labels.isEmpty ? "–" : labels) | \(family.help) |"
        }
        #expect(found.sorted() == expected.sorted())
    }
}
