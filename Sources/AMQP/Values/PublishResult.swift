/// What became of one published message.
public enum PublishResult: Sendable, Hashable {
    /// The broker took responsibility for it.
    case confirmed
    /// The broker refused it with a nack (queue full, or a quorum queue without a leader): worth a retry.
    case refused
    /// No queue took it; the broker handed it back.
    case returned(code: Int, text: String)
    /// Nobody knows: the connection was lost or the deadline passed before the confirm, or it could not be sent.
    case unknown(String)
}
