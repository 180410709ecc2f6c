import Synchronization

/// The messages of one `publish` call and what is known about each.
final class PublishBatch: Sendable {
    private struct State {
        var results: [PublishResult?]
        var open: Int
        var continuation: CheckedContinuation<[PublishResult], Never>?
    }

    let messages: [AMQPMessage]
    private let deadline: ContinuousClock.Instant
    private let state: Mutex<State>

    /// Messages that must not reach the library have their result from the beginning.
    init(
        _ messages: [AMQPMessage],
        deadline: ContinuousClock.Instant,
        continuation: CheckedContinuation<[PublishResult], Never>
    ) {
        self.messages = messages
        self.deadline = deadline
        let results = messages.map { message in message.refusal.map { PublishResult.unknown("not sent: \($0)") } }
        let open = results.count { $0 == nil }
        state = Mutex(State(results: results, open: open, continuation: continuation))
        if open == 0 { finish("") }
    }

    /// Whether the caller has its answer.
    var isFinished: Bool {
        state.withLock { $0.continuation == nil }
    }

    /// Whether this message needs no sending (any more).
    func isSettled(_ index: Int) -> Bool {
        state.withLock { $0.results[index] != nil }
    }

    /// Notes the first result of a message; the last one of the batch resumes the caller.
    func settle(_ index: Int, _ result: PublishResult) {
        let caller: CheckedContinuation<[PublishResult], Never>? = state.withLock { state in
            guard state.results[index] == nil else { return nil }
            state.results[index] = result
            state.open -= 1
            return state.open == 0 ? state.continuation.take() : nil
        }
        caller?.resume(returning: answer)
    }

    /// Ends the batch; messages without a result become unknown.
    func finish(_ reason: String) {
        let caller = state.withLock { state in
            for index in state.results.indices where state.results[index] == nil {
                state.results[index] = .unknown(reason)
            }
            state.open = 0
            return state.continuation.take()
        }
        caller?.resume(returning: answer)
    }

    /// Ends the batch when its time is over.
    func expire(at now: ContinuousClock.Instant) {
        if now >= deadline { finish("deadline passed before the confirm") }
    }

    private var answer: [PublishResult] {
        state.withLock { $0.results.map { $0 ?? .unknown("no result") } }
    }
}
