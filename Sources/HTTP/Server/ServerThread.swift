import Glibc
import Synchronization

/// The server's own thread: accepts connections, watches the clock and the silent clients, and stops the library.
final class ServerThread: Sendable {
    private struct State {
        var thread: pthread_t?
        var isFinished = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    deinit {
        if let thread = state.withLock({ $0.thread.take() }) { pthread_detach(thread) }
    }

    /// Starts the thread; false when the system has no more.
    func start(_ loop: consuming sending ServerLoop) -> Bool {
        let handover = LoopHandover(loop)
        // The lock is held so that the thread cannot end before its id is known.
        return state.withLock { state in
            state.thread = NativeThread.start("http-server") { [self] in
                if let loop = handover.take() { loop.run() }
                finished()
            }
            state.isFinished = state.thread == nil
            return !state.isFinished
        }
    }

    /// Waits until the loop has ended.
    func join() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.waiters.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
        // The loop is over, so this waits for no more than the thread's last instructions.
        if let thread = state.withLock({ $0.thread.take() }) { pthread_join(thread, nil) }
    }

    private func finished() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
