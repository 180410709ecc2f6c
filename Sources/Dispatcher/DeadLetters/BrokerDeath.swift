import AMQP

/// Why and where the broker gave a message up, by the headers it adds when it dead-letters.
struct BrokerDeath: Sendable {
    let queue: String
    let exchange: String
    let routingKey: String?
    let detail: String

    /// Nil when the broker has not dead-lettered the message.
    init?(_ headers: [String: AMQPValue]) {
        guard case .array(let entries)? = headers["x-death"], let first = Self.table(entries.last) else { return nil }
        let queue = headers["x-first-death-queue"]?.stringValue ?? first["queue"]?.stringValue
        guard let queue else { return nil }
        let entry = entries.compactMap(Self.table).first { $0["queue"]?.stringValue == queue } ?? first
        self.queue = queue
        exchange = entry["exchange"]?.stringValue ?? ""
        routingKey = Self.routingKey(entry)
        let reason = headers["x-first-death-reason"]?.stringValue ?? entry["reason"]?.stringValue ?? "unknown"
        let deliveries = headers["x-delivery-count"]?.intValue.map { ", given back \($0) times" } ?? ""
        detail = "the broker gave it up in \(queue): \(reason)\(deliveries)"
    }

    private static func table(_ value: AMQPValue?) -> [String: AMQPValue]? {
        guard case .table(let table)? = value else { return nil }
        return table
    }

    private static func routingKey(_ entry: [String: AMQPValue]) -> String? {
        guard case .array(let keys)? = entry["routing-keys"] else { return nil }
        return keys.first?.stringValue
    }
}
