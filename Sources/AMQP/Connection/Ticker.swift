import Glibc
import Synchronization

/// One thread for the whole process that looks after stalled calls and deadlines five times a second.
///
/// It runs only while something is registered.
final class Ticker: Sendable {
    private struct State {
        var nextID = 0
        var isRunning = false
        var actions: [Int: @Sendable (ContinuousClock.Instant) -> Void] = [:]
    }

    static let shared = Ticker()

    private static let period: UInt32 = 200_000

    private let state = Mutex(State())

    /// Calls the action on every tick until it is removed; it must not block.
    func add(_ action: @escaping @Sendable (ContinuousClock.Instant) -> Void) -> Int {
        let (id, mustStart) = state.withLock { state in
            state.nextID += 1
            state.actions[state.nextID] = action
            defer { state.isRunning = true }
            return (state.nextID, !state.isRunning)
        }
        if mustStart { start() }
        return id
    }

    /// Ends the calls; one may still be under way.
    func remove(_ id: Int) {
        state.withLock { _ = $0.actions.removeValue(forKey: id) }
    }

    private func start() {
        let thread = AMQPThread(name: "amqp-ticker") { self.run() }
        if !thread.start() { state.withLock { $0.isRunning = false } }
    }

    private func run() {
        while true {
            usleep(Self.period)
            let actions = state.withLock { state in
                state.isRunning = !state.actions.isEmpty
                return Array(state.actions.values)
            }
            guard !actions.isEmpty else { return }
            let now = ContinuousClock.now
            for action in actions { action(now) }
        }
    }
}
