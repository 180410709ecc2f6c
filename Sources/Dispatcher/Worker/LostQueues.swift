import AMQP
import Synchronization

/// The lanes whose queue of batches is gone from the broker, until the scheduler has heard of it.
final class LostQueues: Sendable {
    private let lanes = Mutex<Set<Lane>>([])

    /// Takes what happens to a consumer of a lane's batches: its queue was deleted, or is not there (404).
    func note(_ event: AMQPEvent, lane: Lane) {
        switch event {
        case .consumerCancelled, .channelClosed(code: 404, _): note([lane])
        default: break
        }
    }

    /// Keeps lanes for the next look.
    func note(_ lost: [Lane]) {
        lanes.withLock { $0.formUnion(lost) }
    }

    /// The lanes of which nobody has heard yet.
    func take() -> [Lane] {
        lanes.withLock { lanes in
            defer { lanes = [] }
            return lanes.sorted { $0.rawValue < $1.rawValue }
        }
    }
}
