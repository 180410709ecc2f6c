import Foundation
import Testing

@testable import DispatchCore

@Suite("The schedule of retries against the operations manual")
struct RetryManualTests {
    /// The rows of the manual's two tables, cell by cell.
    private static func rows() throws -> [[String]] {
        let file = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: file.appending(path: "docs/operations.md"), encoding: .utf8)
        let heading = try #require(text.range(of: "\n## When a push is tried again\n"))
        let section = text[heading.upperBound...].components(separatedBy: "\n## ")[0]
        return section.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|-") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "") }
        }
    }

    @Test("the manual shows the bound after each attempt")
    func schedule() throws {
        let policy = RetryPolicy()
        let shown = try Self.rows().filter { $0.count == 2 }.dropFirst()
        let coded = (1...policy.maxAttempts).map { attempt in
            let bound = policy.longestDelay(afterAttempt: attempt).components.seconds
            return ["\(attempt)", attempt == policy.maxAttempts ? "none: it has failed" : "\(bound) s"]
        }
        #expect(Array(shown) == coded)
    }

    @Test("the manual shows the numbers of the code; the release rate is the program's")
    func numbers() throws {
        let policy = RetryPolicy()
        let shown = try Self.rows().filter { $0.count == 3 }.dropFirst().map { Array($0.prefix(2)) }
        let coded = [
            ["attempts", "\(policy.maxAttempts)"],
            ["least pause", "\(RetryPolicy.minimumDelay.microseconds / 1_000) ms"],
            ["longest Retry-After", "\(RetryPolicy.longestRetryAfter.components.seconds) s"],
            ["parked", "\(policy.cap.components.seconds) s"],
            ["longest device pause", "\(DevicePause.longest.components.seconds) s"],
            ["budget share", "\(100 / RetryBudget.share) %"],
            ["budget floor", "\(RetryBudget.floor)"],
            ["budget window", "\(RetryBudget.window.components.seconds) s"],
            ["budget trickle", "\(RetryBudget.trickle)"],
        ]
        #expect(Array(shown.dropLast()) == coded)
        #expect(shown.last?.first == "release rate")
    }
}
