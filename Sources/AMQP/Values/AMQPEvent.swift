/// Something that happened to a connection, for logs and counters.
public enum AMQPEvent: Sendable, Hashable {
    /// Logged in.
    case connected
    /// The connection ended for this reason; the client tries again by itself.
    case disconnected(AMQPError)
    /// The broker stopped reading from publishers (memory or disk alarm), with its reason.
    case blocked(String)
    /// The alarm is over.
    case unblocked
    /// The broker ended the subscription, usually because the queue was deleted.
    case consumerCancelled
    /// A subscription after the first one of this consumer.
    case resubscribed
    /// The broker closed the channel; the connection is replaced.
    case channelClosed(code: Int, text: String)
}
