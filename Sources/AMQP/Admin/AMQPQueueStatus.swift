/// What a passive declaration tells about a queue.
public struct AMQPQueueStatus: Sendable, Hashable {
    /// Messages waiting; those held by consumers do not count.
    public let messages: Int
    /// Consumers subscribed.
    public let consumers: Int
}
