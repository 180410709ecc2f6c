import Synchronization

/// A part of the in-flight budget that a batch holds from before its intent until its record.
final class BudgetShare: Sendable {
    private let budget: InFlightBudget
    private let amount: Mutex<Int>

    private init(_ budget: InFlightBudget, amount: Int) {
        self.budget = budget
        self.amount = Mutex(amount)
    }

    static func acquire(_ amount: Int, of budget: InFlightBudget) async -> BudgetShare {
        await budget.acquire(amount)
        return BudgetShare(budget, amount: amount)
    }

    /// Moves `part` of this share to a new one, for what outlives the batch.
    func split(_ part: Int) -> BudgetShare {
        let moved = amount.withLock { amount in
            let moved = min(part, amount)
            amount -= moved
            return moved
        }
        return BudgetShare(budget, amount: moved)
    }

    /// Gives the share back; a second call gives back nothing.
    func release() {
        let released = amount.withLock { amount in
            defer { amount = 0 }
            return amount
        }
        budget.release(released)
    }
}
