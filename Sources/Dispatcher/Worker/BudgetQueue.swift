/// A budget and those who wait for a part of it, first come first served.
///
/// Pure: who is granted something is answered, and the caller tells them.
struct BudgetQueue<Waiter> {
    private let capacity: Int
    private var available: Int
    private var waiters: [(amount: Int, waiter: Waiter)] = []

    init(capacity: Int) {
        self.capacity = capacity
        available = capacity
    }

    /// How much of it is taken.
    var used: Int { capacity - available }

    /// Takes `amount`, an amount over the whole budget being all of it; false when `waiter` has to wait for it.
    mutating func acquire(_ amount: Int, for waiter: Waiter) -> Bool {
        let amount = min(amount, capacity)
        guard waiters.isEmpty, available >= amount else {
            waiters.append((amount, waiter))
            return false
        }
        available -= amount
        return true
    }

    /// Gives back what was acquired, or a part of it; answers whose turn it is now.
    mutating func release(_ amount: Int) -> [Waiter] {
        available = min(capacity, available + amount)
        var granted: [Waiter] = []
        while let first = waiters.first, first.amount <= available {
            available -= first.amount
            granted.append(waiters.removeFirst().waiter)
        }
        return granted
    }
}
