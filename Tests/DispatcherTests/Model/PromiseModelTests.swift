import Foundation
import Testing

@testable import Dispatcher

@Suite("Model of the protocol")
struct PromiseModelTests {
    @Test("the promises hold whatever befalls workers and servers", arguments: [0, 60, 120])
    func anything(first: UInt64) {
        expect(first..<first + 60, .anything)
    }

    @Test("the promises hold under more load than there is room for, while workers are killed")
    func crowd() {
        expect(0..<30, .crowd)
    }

    @Test("the promises hold while workers stand still longer than their leases")
    func frost() {
        expect(0..<30, .frost)
    }

    private func expect(_ seeds: Range<UInt64>, _ scenario: ModelRun.Scenario) {
        for seed in seeds {
            let run = ModelRun(seed: seed, scenario)
            guard run.breaches.isEmpty else {
                Issue.record("\(run.report)")
                return
            }
        }
    }

    @Test("urgent jobs are not behind bulk, whose work piles up meanwhile", arguments: 0..<10)
    func urgent(seed: UInt64) {
        let run = UrgentRun(seed: seed)
        #expect(run.leastBacklog > 20)
        #expect(run.waits.allSatisfy { $0 < .seconds(1) }, "\(run.waits.max() ?? .zero)")
    }

    @Test("urgent jobs among bulk would be found out")
    func urgentAmongBulk() {
        let run = UrgentRun(seed: 0, broken: [.urgentAmongBulk])
        #expect(run.waits.contains { $0 > .seconds(2) })
    }

    @Test("a rule that is left out is found out", arguments: BrokenRule.allCases.filter { $0 != .urgentAmongBulk })
    func broken(rule: BrokenRule) {
        let found = (0..<80).lazy.map { ModelRun(seed: $0, rule.scenario, broken: [rule]) }
            .first { !$0.breaches.isEmpty }
        #expect(found != nil, "\(rule)")
        #expect(found?.breaches.contains { rule.promises.contains($0.prefix(9)) } ?? true, "\(found?.breaches ?? [])")
        #expect(found?.trace.isEmpty == false)
    }

    @Test("a seed is one run")
    func replay() {
        let first = ModelRun(seed: 7)
        let second = ModelRun(seed: 7)
        #expect(first.steps == second.steps)
        #expect(first.sendings == second.sendings)
    }
}

extension BrokenRule {
    /// Where it shows soonest.
    fileprivate var scenario: ModelRun.Scenario {
        switch self {
        case .intentWithoutBudget: .crowd
        case .pauseUnnoticed, .epochStandsStill: .frost
        default: .anything
        }
    }

    /// The promises that fall with it.
    fileprivate var promises: Set<Substring> {
        switch self {
        case .noRescue, .noReconciliation, .earlyAcknowledgement: ["promise 1"]
        case .shrinkWithoutEpoch, .retryAfterRecord, .cursorForgotten: ["promise 1", "promise 2"]
        case .recordWithoutFence: ["promise 2", "promise 3"]
        case .epochStandsStill, .rescueWithoutFlag, .claimFromOwner, .onceIgnored, .intentWithoutBudget: ["promise 3"]
        case .noIdentity: ["promise 4"]
        case .urgentAmongBulk: ["promise 5"]
        case .expiryUncheckedAtRetry, .cancelUnchecked, .pauseUnnoticed: ["promise 6"]
        }
    }
}
