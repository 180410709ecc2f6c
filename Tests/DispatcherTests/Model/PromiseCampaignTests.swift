import Foundation
import Testing

/// As many seeds as `scripts/fuzz protocol` asks for, shared out over the processors.
@Suite("Campaign of the model") struct PromiseCampaignTests {
    struct Part: Sendable, CustomTestStringConvertible {
        let seeds: Range<UInt64>

        var testDescription: String { "seeds \(seeds.lowerBound) to \(seeds.upperBound - 1)" }
    }

    static let parts: [Part] = {
        let environment = ProcessInfo.processInfo.environment
        guard let count = environment["DISPATCHER_MODEL_SEEDS"].flatMap({ UInt64($0) }) else { return [] }
        let first = environment["DISPATCHER_MODEL_SEED"].flatMap { UInt64($0) } ?? 0
        let size = UInt64(25)
        return stride(from: first, to: first + count, by: Int(size)).map { start in
            Part(seeds: start..<min(start + size, first + count))
        }
    }()

    @Test("the promises hold for every seed", .enabled(if: !parts.isEmpty), arguments: parts)
    func campaign(part: Part) {
        var steps = 0
        var sendings = 0
        for seed in part.seeds {
            let run = ModelRun(seed: seed, Self.scenario(seed))
            if !run.breaches.isEmpty { Issue.record("\(run.report)") }
            steps += run.steps
            sendings += run.sendings
        }
        print("model: \(part.testDescription): \(steps) steps, \(sendings) pushes")
    }

    /// Half of the seeds are about anything, the others about one thing each.
    private static func scenario(_ seed: UInt64) -> ModelRun.Scenario {
        switch seed % 4 {
        case 2: .crowd
        case 3: .frost
        default: .anything
        }
    }
}
