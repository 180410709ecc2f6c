import Synchronization

/// The door that every connection to one endpoint goes through, so that a broker that is away is not asked by all at once.
final class ReconnectGate: Sendable {
    private let pause = Mutex(ReconnectPause())

    /// Connects when it is this thread's turn; nil when `wait` says that there is no need any more.
    ///
    /// `wait` sleeps for the time it is given, or less, and answers whether to go on.
    func connect(
        _ endpoint: AMQPEndpoint,
        name: String,
        wait: (Duration) -> Bool
    ) throws(AMQPError) -> AMQPHandle? {
        while let delay = pause.withLock({ $0.ask(at: .now) }) {
            guard wait(delay) else { return nil }
        }
        do throws(AMQPError) {
            let handle = try AMQPHandle(connecting: endpoint, name: name)
            pause.withLock { $0.succeed() }
            return handle
        } catch {
            let jitter = Double.random(in: ReconnectPause.jitter)
            pause.withLock { $0.fail(jitter: jitter) }
            throw error
        }
    }
}
