import CRabbit

/// The C library underneath.
public enum AMQPLibrary {
    /// The version of librabbitmq that is loaded, such as `0.11.0`.
    public static var version: String { String(cString: amqp_version()) }
}
