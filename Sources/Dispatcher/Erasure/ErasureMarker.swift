import AMQP
import DispatchCore

/// A message that says: what stands before it in its queue was published before an erasure.
struct ErasureMarker: Sendable {
    let erasure: UUIDValue

    /// The type property by which a marker is known.
    static let type = "dispatcher.erasure"

    init(erasure: UUIDValue) {
        self.erasure = erasure
    }

    /// Nil for any other message; one with an id that no erasure has changes nothing.
    init?(_ message: AMQPDelivery) {
        guard message.properties.type == Self.type else { return nil }
        guard let id = message.properties.messageID.flatMap({ UUIDValue($0) }) else { return nil }
        erasure = id
    }

    /// The messages that mark all queues.
    var messages: [AMQPMessage] {
        MarkedQueue.allCases.map { queue in
            AMQPMessage(
                exchange: IntakeExchange.name,
                routingKey: queue.routingKey,
                body: [],
                properties: AMQPProperties(messageID: erasure.description, type: Self.type)
            )
        }
    }
}

/// The queues that may hold somebody who is to be forgotten; the raw value is the bit in `erasure.awaits`.
enum MarkedQueue: Int16, CaseIterable, Sendable {
    case high = 1
    case normal = 2
    case bulk = 4
    case installations = 8
    case receipts = 16

    init(_ lane: Lane) {
        self =
            switch lane {
            case .high: .high
            case .normal: .normal
            case .bulk: .bulk
            }
    }

    /// The queue with this name, if it is marked at all.
    init?(queue name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    private var name: String {
        switch self {
        case .high: Lane.high.jobsQueue
        case .normal: Lane.normal.jobsQueue
        case .bulk: Lane.bulk.jobsQueue
        case .installations: DeviceQueue.installations.name
        case .receipts: DeviceQueue.receipts.name
        }
    }

    var routingKey: String { String(name.dropFirst("push.".count)) }
}
