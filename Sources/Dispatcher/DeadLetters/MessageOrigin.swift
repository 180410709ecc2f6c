/// Where a message was published first, as its queue tells: headers may say anything.
struct MessageOrigin: Sendable, Equatable {
    let exchange: String
    let routingKey: String

    /// Nil for a queue that is none of ours.
    ///
    /// What nothing took has kept the key that it was published with, which is given.
    init?(queue: String, routingKey: String? = nil) {
        if let key = IntakeExchange.routingKey(of: queue) {
            (exchange, self.routingKey) = (IntakeExchange.name, key)
        } else if let lane = Lane.allCases.first(where: { $0.batchesQueue == queue }) {
            (exchange, self.routingKey) = (BatchPublisher.exchange, lane.batchesRoutingKey)
        } else if queue == UnroutableLane.queue, let routingKey {
            (exchange, self.routingKey) = (IntakeExchange.name, routingKey)
        } else {
            return nil
        }
    }

    /// Whether messages may be published there on behalf of whoever sent this one.
    ///
    /// Batches are announced by workers, once more if need be.
    var isOpenToAll: Bool { exchange == IntakeExchange.name && IntakeExchange.keys.contains(routingKey) }
}
