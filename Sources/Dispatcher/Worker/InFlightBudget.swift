import Synchronization

/// Counts the deliveries between intent and record, and makes those who would exceed the budget wait, first come first
/// served.
final class InFlightBudget: Sendable {
    private let queue: Mutex<BudgetQueue<CheckedContinuation<Void, Never>>>

    init(capacity: Int) {
        queue = Mutex(BudgetQueue(capacity: capacity))
    }

    /// How many deliveries are counted in it now.
    var used: Int { queue.withLock { $0.used } }

    /// Takes `amount` deliveries from the budget; an amount over the whole budget takes all of it.
    func acquire(_ amount: Int) async {
        await withCheckedContinuation { continuation in
            let isGranted = queue.withLock { $0.acquire(amount, for: continuation) }
            if isGranted { continuation.resume() }
        }
    }

    /// Gives back what was acquired, or a part of it.
    func release(_ amount: Int) {
        let granted = queue.withLock { $0.release(amount) }
        for waiter in granted { waiter.resume() }
    }
}
