import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT as two events: a request to stop, and the demand to do it now.
final class StopSignals: Sendable {
    private let stream: AsyncStream<Void>
    private let sources: Mutex<[any DispatchSourceSignal]>

    /// How long the last deed of a forced exit may take.
    private static let lastDeedLimit = Duration.seconds(3)

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(2))
        self.stream = stream
        sources = Mutex([])
        sources.withLock { sources in
            for number in [SIGTERM, SIGINT] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield() }
                source.resume()
                sources.append(source)
            }
        }
    }

    /// Returns at the first signal.
    func first() async {
        for await _ in stream { return }
    }

    /// At the next signal does `deed`, briefly, and ends the process with status 1.
    func onSecond(_ deed: @escaping @Sendable () async -> Void) {
        // Outside every task group on purpose: it must get through while the drain hangs.
        Task.detached(priority: .high) { [stream] in
            for await _ in stream {
                Task.detached {
                    await deed()
                    _exit(1)
                }
                try? await Task.sleep(for: Self.lastDeedLimit)
                _exit(1)
            }
        }
    }
}
