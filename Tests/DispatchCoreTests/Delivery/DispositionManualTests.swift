import DispatchCore
import Foundation
import Testing

@Suite("Dispositions against the operations manual")
struct DispositionManualTests {
    @Test("the operations manual shows exactly the rows of the code")
    func sameRows() throws {
        let shown = try Self.manualRows()
        let coded = DispositionTable.rows.map { ManualRow(platform: $0.platform.name, row: .init($0)) }
        #expect(Set(shown).count == shown.count, "a row stands twice")
        #expect(Set(coded).subtracting(shown) == [], "not in the manual")
        #expect(Set(shown).subtracting(coded) == [], "only in the manual")
    }

    private struct ManualRow: Hashable {
        let platform: String
        let row: DispositionFixture.Row
    }

    /// The table's lines, each of which stands for all the reasons it lists.
    private static func manualRows() throws -> [ManualRow] {
        let file = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: file.appending(path: "docs/operations.md"), encoding: .utf8)
        let heading = try #require(text.range(of: "\n## What each answer leads to\n"))
        let section = text[heading.upperBound...].components(separatedBy: "\n## ")[0]
        return try section.split(separator: "\n").flatMap { line in
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 9, Platform(name: cells[1]) != nil else { return [ManualRow]() }
            return try rows(of: cells)
        }
    }

    private static func rows(of cells: [String]) throws -> [ManualRow] {
        let status = try #require(Int(cells[2]))
        let pause = Int(cells[5].replacing(" s", with: ""))
        #expect((pause == nil) == cells[5].isEmpty)
        return cells[3].components(separatedBy: ", ").map { reason in
            let row = DispositionFixture.Row(
                status: status,
                reason: reason == "any" ? "" : reason.replacing("`", with: ""),
                disposition: cells[4],
                scope: cells[6],
                device: cells[7],
                pauseSeconds: pause
            )
            return ManualRow(platform: cells[1], row: row)
        }
    }
}
