/// The time limits of a connection; only tests change them.
struct AMQPTuning: Sendable {
    /// Seconds between heartbeats; RabbitMQ recommends 5 to 20 and the peer is given up after two of them.
    var heartbeat = 15
    /// Seconds for the TCP connection, and again for the login.
    var connectSeconds = 5
    /// Seconds for the answer to one method.
    var rpcSeconds = 5
    /// Milliseconds sent data may stay unacknowledged by the peer's kernel.
    var userTimeoutMilliseconds: Int32 = 20_000
    /// How long one library call may last before its socket is shut down.
    var stallLimit = Duration.seconds(20)
    /// How long a stopping publisher waits for outstanding confirms.
    var drainLimit = Duration.seconds(5)

    /// The longest wait between two calls into the library, which sends heartbeats only from inside such calls.
    var pollMilliseconds: Int32 {
        Int32(min(1_000, heartbeat * 500))
    }
}
