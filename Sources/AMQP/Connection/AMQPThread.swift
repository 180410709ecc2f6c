import CRabbit
import Glibc
import Synchronization

/// A named POSIX thread that can be awaited.
///
/// librabbitmq decodes nested tables recursively and without a limit: 18,000 levels fit into one frame and overflow a
/// 2 MiB stack. So every thread that reads from a broker has 8 MiB, whatever `ulimit -s` says.
final class AMQPThread: Sendable {
    private struct State {
        /// Let go once it runs: it usually holds the object that holds the thread.
        var body: (@Sendable () -> Void)?
        var thread: pthread_t?
        var isFinished = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private static let stackSize = 8 * 1024 * 1024

    private let name: String
    private let state: Mutex<State>

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = String(decoding: Array(name.utf8.prefix(15)), as: UTF8.self)
        state = Mutex(State(body: body))
    }

    deinit {
        // Nobody joined it, and it may be this thread that lets go last.
        if let thread = state.withLock({ $0.thread.take() }) { pthread_detach(thread) }
    }

    /// Starts the thread; false when the system has no more threads, and then the body never runs.
    func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        let isSized = pthread_attr_setstacksize(&attributes, Self.stackSize) == 0
        let box = Unmanaged.passRetained(self)
        // The lock is held so that the thread cannot end before its id is known.
        return state.withLock { state in
            var thread = pthread_t()
            guard isSized, pthread_create(&thread, &attributes, Self.main, box.toOpaque()) == 0 else {
                box.release()
                state.isFinished = true
                state.body = nil
                return false
            }
            state.thread = thread
            return true
        }
    }

    /// Waits until the body has returned, then joins the thread.
    func join() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.waiters.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
        // The body is over, so this waits for no more than the thread's last instructions.
        if let thread = state.withLock({ $0.thread.take() }) { pthread_join(thread, nil) }
    }

    /// Runs a blocking body on its own short-lived thread and returns its result.
    static func run<Value: Sendable>(
        name: String,
        _ body: @escaping @Sendable () -> Result<Value, AMQPError>
    ) async -> Result<Value, AMQPError> {
        let box = ResultBox<Value>(.failure(AMQPError(.connectFailed, operation: name, reason: "no more threads")))
        let thread = AMQPThread(name: name) {
            let result = body()
            box.result.withLock { $0 = result }
        }
        _ = thread.start()
        await thread.join()
        return box.result.withLock { $0 }
    }

    private func main() {
        crabbit_name_thread(name)
        precondition(crabbit_stack_size() >= Self.stackSize, "the system gave a smaller stack than it was asked for")
        state.withLock { $0.body.take() }?()
        let waiters = state.withLock { state in
            state.isFinished = true
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
        guard let box else { return nil }
        Unmanaged<AMQPThread>.fromOpaque(box).takeRetainedValue().main()
        return nil
    }
}

private final class ResultBox<Value: Sendable>: Sendable {
    let result: Mutex<Result<Value, AMQPError>>

    init(_ result: Result<Value, AMQPError>) {
        self.result = Mutex(result)
    }
}
