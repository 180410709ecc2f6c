import Testing

@testable import Dispatcher

@Suite struct BackoffTests {
    @Test("the pause doubles from the base to the cap, between half of the step and all of it")
    func steps() {
        let backoff = Backoff(base: .milliseconds(200), cap: .seconds(5))
        let steps = [200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { Duration.milliseconds($0) }
        var generator = SystemDice()
        for (index, step) in steps.enumerated() {
            for _ in 0..<200 {
                let delay = backoff.delay(index + 1, using: &generator)
                #expect(delay >= step / 2 && delay <= step, "after \(index + 1) failures")
            }
        }
    }

    @Test("any number of failures has a pause within the cap", arguments: [0, -1, 17, 64, 100_000, Int.max])
    func extremes(failures: Int) {
        var generator = SystemDice()
        let delay = Backoff().delay(failures, using: &generator)
        #expect(delay >= .milliseconds(100) && delay <= .seconds(5))
    }

    @Test("cancellation ends the wait")
    func cancellation() async {
        let start = ContinuousClock.now
        let task = Task { await Backoff(base: .seconds(3_600), cap: .seconds(3_600)).wait(1) }
        task.cancel()
        await task.value
        #expect(ContinuousClock.now - start < .seconds(600))
    }
}
