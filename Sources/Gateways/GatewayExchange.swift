public import DispatchCore
import Synchronization

/// Where a gateway leaves its answers to one array of requests, and its caller picks them up.
public final class GatewayExchange: Sendable {
    private struct State {
        var outcomes: [DeliveryOutcome?]
        var unanswered: Int
        var waiter: CheckedContinuation<Void, Never>?
        /// Waits are numbered, so that a late alarm cannot end the wait after its own.
        var lastWait = 0
        var lastOverdueWait = 0
    }

    private let state: Mutex<State>

    /// Opens an exchange for requests with the indexes `0..<count`.
    public init(count: Int) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), unanswered: count))
    }

    /// Whether every request was answered.
    public var isComplete: Bool { state.withLock { $0.unanswered == 0 } }

    /// Answers one request; a second answer to the same request is ignored.
    public func answer(_ index: Int, _ outcome: DeliveryOutcome) {
        answer(CollectionOfOne((index, outcome)))
    }

    /// Answers many requests at the price of one lock; second answers are ignored.
    public func answer(_ outcomes: [(Int, DeliveryOutcome)]) {
        answer(outcomes[...])
    }

    private func answer(_ outcomes: some Collection<(Int, DeliveryOutcome)>) {
        let waiter = state.withLock { state in
            for (index, outcome) in outcomes where state.outcomes[index] == nil {
                state.outcomes[index] = outcome
                state.unanswered -= 1
            }
            return state.unanswered == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }
}

extension GatewayExchange {
    /// Waits until every request is answered, `limit` has passed or the task is cancelled; one caller at a time.
    ///
    /// Returns the outcomes so far, nil for a request without an answer. It does not suspend when all are there already.
    public func outcomes(within limit: Duration) async -> [DeliveryOutcome?] {
        guard !isComplete else { return collected }
        let number = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        // Unstructured, because a task group would have to wait for a sleeper that nobody needs any more; it ends with
        // the wait below.
        let alarm = Task {
            do { try await Task.sleep(for: limit) } catch { return }
            stopWaiting(number)
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, with: $0) }
        } onCancel: {
            stopWaiting(number)
        }
        return collected
    }

    private var collected: [DeliveryOutcome?] { state.withLock { $0.outcomes } }

    private func wait(_ number: Int, with continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            precondition(state.waiter == nil, "one caller at a time waits for an exchange")
            guard state.unanswered > 0, state.lastOverdueWait < number else { return true }
            state.waiter = continuation
            return false
        }
        if isOver { continuation.resume() }
    }

    /// Ends the wait; one that has not begun yet ends as soon as it does.
    private func stopWaiting(_ number: Int) {
        let waiter = state.withLock { state in
            guard number == state.lastWait else { return CheckedContinuation<Void, Never>?.none }
            state.lastOverdueWait = number
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
