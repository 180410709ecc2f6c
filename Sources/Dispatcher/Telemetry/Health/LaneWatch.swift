import Synchronization

/// The pairs of hands of a worker: which of them are stuck, and whether one has ended that nobody has stopped.
final class LaneWatch: Sendable {
    private struct State {
        var pulses: [LanePulse] = []
        var lost: String?
        var waiter: CheckedContinuation<String?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    /// A pulse for one more pair of hands on the queue.
    func pulse(_ queue: String) -> LanePulse {
        let pulse = LanePulse(queue: queue)
        state.withLock { $0.pulses.append(pulse) }
        return pulse
    }

    var pulses: [LanePulse] { state.withLock { $0.pulses } }

    /// The queues where a pair of hands has made no step for longer than `limit`, not counting the time before `start`.
    func stuck(for limit: Duration, since start: ContinuousClock.Instant, now: ContinuousClock.Instant) -> [String] {
        let stuck = pulses.filter { pulse in
            pulse.lastStep.map { now - max($0, start) > limit } ?? false
        }
        return Set(stuck.map(\.queue)).sorted()
    }

    /// The first queue whose hands have ended; nil while there is none.
    var lost: String? { state.withLock { $0.lost } }

    /// A pair of hands has ended although the worker goes on.
    func lose(_ queue: String) {
        let waiter = state.withLock { state in
            state.lost = state.lost ?? queue
            return state.waiter.take()
        }
        waiter?.resume(returning: queue)
    }

    /// The queue whose hands have ended, as soon as that is so; nil when the worker is over without it.
    func loss() async -> String? {
        await withCheckedContinuation { continuation in
            let (lost, isKnown) = state.withLock { state in
                let isKnown = state.lost != nil || state.isOver
                if !isKnown { state.waiter = continuation }
                return (state.lost, isKnown)
            }
            if isKnown { continuation.resume(returning: lost) }
        }
    }

    /// The worker is over: nothing more can be lost.
    func finish() {
        let waiter = state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }
}
