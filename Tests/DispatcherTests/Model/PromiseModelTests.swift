import Testing

@testable import Dispatcher

@Suite("Model of the protocol")
struct PromiseModelTests {
    @Test("the promises hold whatever befalls workers and servers", arguments: [0, 1, 2, 3])
    func promisesHold(part: UInt64) {
        for seed in part * 50..<part * 50 + 50 {
            let run = ModelRun(seed: seed)
            #expect(run.breaches.isEmpty, "\(run.report)")
            if !run.breaches.isEmpty { return }
        }
    }

    @Test("a seed is one run")
    func replay() {
        let first = ModelRun(seed: 7)
        let second = ModelRun(seed: 7)
        #expect(first.steps == second.steps)
        #expect(first.sendings == second.sendings)
    }
}
