@testable import Dispatcher

/// The in-flight budget of a worker, on the program's own queue.
final class FakeBudget {
    private var queue: BudgetQueue<() -> Void>

    /// How many deliveries hold a part of it.
    private(set) var inUse = 0

    init(_ capacity: Int) { queue = BudgetQueue(capacity: capacity) }

    /// A part of it, as `BudgetShare`.
    final class Share {
        private let budget: FakeBudget
        private var amount: Int

        fileprivate init(_ budget: FakeBudget, _ amount: Int) {
            self.budget = budget
            self.amount = amount
        }

        func split(_ part: Int) -> Share {
            let moved = min(part, amount)
            amount -= moved
            return Share(budget, moved)
        }

        func release() {
            let released = amount
            amount = 0
            budget.inUse -= released
            for waiter in budget.queue.release(released) { waiter() }
        }
    }

    func acquire(_ amount: Int, _ then: @escaping (Share) -> Void) {
        let grant = { [self] in
            inUse += amount
            then(Share(self, amount))
        }
        if queue.acquire(amount, for: grant) { grant() }
    }
}
