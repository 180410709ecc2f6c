import Synchronization

/// Counts the deliveries between intent and record, and makes those who would exceed the budget wait, first come first
/// served.
final class InFlightBudget: Sendable {
    private struct Waiter {
        let amount: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var available: Int
        var waiters: [Waiter] = []
    }

    private let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int) {
        self.capacity = capacity
        self.state = Mutex(State(available: capacity))
    }

    /// Takes `amount` deliveries from the budget; an amount over the whole budget takes all of it.
    func acquire(_ amount: Int) async {
        let amount = min(amount, capacity)
        await withCheckedContinuation { continuation in
            let isGranted = state.withLock { state in
                guard state.waiters.isEmpty, state.available >= amount else {
                    state.waiters.append(Waiter(amount: amount, continuation: continuation))
                    return false
                }
                state.available -= amount
                return true
            }
            if isGranted { continuation.resume() }
        }
    }

    /// Gives back what was acquired, or a part of it.
    func release(_ amount: Int) {
        let granted = state.withLock { state in
            state.available = min(capacity, state.available + amount)
            return Self.grant(&state)
        }
        for waiter in granted { waiter.continuation.resume() }
    }

    private static func grant(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        while let first = state.waiters.first, first.amount <= state.available {
            state.available -= first.amount
            granted.append(state.waiters.removeFirst())
        }
        return granted
    }
}
