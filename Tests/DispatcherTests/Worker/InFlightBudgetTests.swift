import Testing

@testable import Dispatcher

@Suite struct InFlightBudgetTests {
    @Test("what fits is granted at once, in parts and whole")
    func fits() async {
        let budget = InFlightBudget(capacity: 10)
        await budget.acquire(4)
        await budget.acquire(6)
        budget.release(10)
        await budget.acquire(10)
    }

    @Test("an amount over the capacity takes all of it instead of waiting for ever")
    func tooMuch() async {
        let budget = InFlightBudget(capacity: 10)
        await budget.acquire(1_000)
        budget.release(1_000)
        await budget.acquire(10)
    }

    @Test("those who wait are served in the order they came, a small one behind a large one too")
    func order() async {
        let budget = InFlightBudget(capacity: 10)
        await budget.acquire(8)
        let granted = Journal<Int>()
        await withDiscardingTaskGroup { group in
            for amount in [9, 1, 2] {
                // Each is queued before the next comes: the task runs until it has to wait.
                group.addImmediateTask {
                    await budget.acquire(amount)
                    granted.add(amount)
                    budget.release(amount)
                }
            }
            #expect(granted.all == [])
            budget.release(8)
        }
        #expect(granted.all.first == 9)
        #expect(granted.all.sorted() == [1, 2, 9])
    }

    @Test("never more than the capacity is out")
    func bound() async {
        let budget = InFlightBudget(capacity: 100)
        let steps = Journal<Int>()
        await withDiscardingTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let amount = 1 + number * 37 % 60
                    await budget.acquire(amount)
                    steps.add(amount)
                    await Task.yield()
                    steps.add(-amount)
                    budget.release(amount)
                }
            }
        }
        var out = 0
        let levels = steps.all.map { step in
            out += step
            return out
        }
        #expect(levels.count == 800)
        #expect(levels.allSatisfy { $0 <= 100 } && levels.last == 0)
        await budget.acquire(100)
    }
}
