import DispatchCore
import Testing

@testable import Dispatcher

@Suite("dispatcher bench render", .timeLimit(.minutes(4)))
struct BenchCommandTests {
    @Test("the JSON has a rate and a size for each piece of work on each platform, and no allocations by itself")
    func json() async throws {
        let run = try await Program.run(["bench", "render", "--seconds", "1", "--json"])
        #expect(run.exit == .status(0))
        let document = try JSONParser.parse(Array(run.output.utf8))
        let results = try #require(document["results"]?.elements)
        #expect(results.count >= 3 * Platform.allCases.count + 2)
        for result in results {
            guard case .number(let rate) = result["perSecond"], case .number(let bytes) = result["bytes"] else {
                Issue.record("\(result)")
                continue
            }
            #expect(rate.int64 ?? 0 > 0 && bytes.int64 ?? 0 > 0)
            #expect(result["rates"]?.elements?.count == RenderBenchmark.rounds)
            #expect(result["allocations"] == .null)
        }
        let platforms = Set(results.compactMap { $0["platform"]?.string })
        #expect(platforms == Set(Platform.allCases.map(\.name)))
    }

    @Test("the table has a row for each of them")
    func table() throws {
        var result = BenchResult(BenchCase("work", on: "apns") { _ in 1 })
        for nanoseconds in [1_000_000, 500_000, 2_000_000] {
            result.add(count: 1_000, nanoseconds: nanoseconds, bytes: 253_000, allocations: 4_500)
        }
        let rows = BenchReport.table([result]).split(separator: "\n")
        #expect(rows.count == 3)
        #expect(rows[2] == "| work | apns | 1,000,000 | 500,000 – 2,000,000 | 1,000 | 253 | 4.5 |")
    }

    @Test("a wrong argument is a usage error", arguments: [["--seconds", "0"], ["--seconds"], ["apns"], ["--fast"]])
    func usage(arguments: [String]) async throws {
        #expect(try await Program.run(["bench", "render"] + arguments).exit == .status(64))
    }
}
