import CRabbit

extension AMQPEvent {
    /// connection.blocked and connection.unblocked, nil for any other method.
    init?(notice method: amqp_method_t) {
        switch method.id {
        case AMQP_CONNECTION_BLOCKED_METHOD:
            guard let decoded = method.decoded else { return nil }
            self = .blocked(decoded.load(as: amqp_connection_blocked_t.self).reason.text)
        case AMQP_CONNECTION_UNBLOCKED_METHOD:
            self = .unblocked
        default:
            return nil
        }
    }
}
