import AMQP
import Synchronization

/// Keeps the events of a connection for assertions.
final class EventLog: Sendable {
    private let events = Mutex<[AMQPEvent]>([])

    func record(_ event: AMQPEvent) {
        events.withLock { $0.append(event) }
    }

    var all: [AMQPEvent] {
        events.withLock { $0 }
    }

    func count(_ isWanted: (AMQPEvent) -> Bool) -> Int {
        all.count(where: isWanted)
    }

    var disconnections: Int {
        count { if case .disconnected = $0 { true } else { false } }
    }
}
