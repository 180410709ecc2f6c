import Synchronization

/// The door that every new connection of a process goes through, whichever pool it is for.
///
/// One caller at a time tries. While nothing is known against the server the others wait for their turn; once a try has
/// failed they are told its failure at once, until the next try may be made.
public final class ConnectGate: Sendable {
    private struct State {
        var pause = ConnectPause()
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64

    /// Makes a gate through which nobody has gone.
    public convenience init() { self.init(now: Deadline.now) }

    init(now: @escaping @Sendable () -> UInt64) { self.now = now }

    /// Waits for the turn to try; whoever got it says how it went, by `succeed` or `fail`.
    ///
    /// - Throws: The last failure while no other try may be made; `.cancelled` when the task is.
    func enter() async throws(PostgresError) {
        while true {
            if Task.isCancelled { throw PostgresError(.cancelled, operation: "connect") }
            switch state.withLock({ $0.pause.ask(at: now()) }) {
            case .go: return
            case .refused(let error): throw error
            case .wait: await waitForEnd()
            }
        }
    }

    /// A connection was made.
    func succeed() { end { $0.succeed() } }

    /// The try has failed.
    func fail(_ error: PostgresError) {
        let jitter = Double.random(in: ConnectPause.jitter)
        end { $0.fail(error, jitter: jitter) }
    }

    private func end(_ body: (inout ConnectPause) -> Void) {
        let waiters = state.withLock { state in
            body(&state.pause)
            defer { state.waiters = [:] }
            return state.waiters
        }
        // In the order in which they came.
        for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value.resume() }
    }

    /// Returns when the running try has ended, or the task is cancelled.
    private func waitForEnd() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    // Whoever is cancelled before this is not found by the handler.
                    guard state.pause.isTrying, !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
