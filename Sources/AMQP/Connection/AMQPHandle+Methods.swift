import CRabbit

extension AMQPHandle {
    func openChannel() throws(AMQPError) {
        amqp_channel_open(connection, Self.channel)
        try check("channel.open")
    }

    func setPrefetch(_ count: Int) throws(AMQPError) {
        // Per consumer: quorum queues refuse a global prefetch with 540.
        amqp_basic_qos(connection, Self.channel, 0, UInt16(clamping: count), 0)
        try check("basic.qos")
    }

    func consume(_ queue: String, tag: String) throws(AMQPError) {
        let connection = connection
        queue.withAMQPBytes { queue in
            tag.withAMQPBytes { tag in
                _ = amqp_basic_consume(connection, Self.channel, queue, tag, 0, 0, 0, amqp_empty_table)
            }
        }
        try check("basic.consume")
    }

    func cancelConsumer(_ tag: String) throws(AMQPError) {
        let connection = connection
        tag.withAMQPBytes { _ = amqp_basic_cancel(connection, Self.channel, $0) }
        try check("basic.cancel")
    }

    func acknowledge(_ tag: UInt64, multiple: Bool) throws(AMQPError) {
        try check(amqp_basic_ack(connection, Self.channel, tag, multiple ? 1 : 0), "basic.ack")
    }

    func reject(_ tag: UInt64, requeue: Bool) throws(AMQPError) {
        try check(amqp_basic_reject(connection, Self.channel, tag, requeue ? 1 : 0), "basic.reject")
    }

    func selectConfirms() throws(AMQPError) {
        amqp_confirm_select(connection, Self.channel)
        try check("confirm.select")
    }

    /// Sends one persistent message; blocks while the broker does not read.
    func publish(_ message: AMQPMessage, _ pool: borrowing AMQPPool) throws(AMQPError) {
        pool.recycle()
        var properties = message.properties.encoded(in: pool)
        let exchange = pool.bytes(message.exchange)
        let routingKey = pool.bytes(message.routingKey)
        let connection = connection
        let mandatory: amqp_boolean_t = message.isMandatory ? 1 : 0
        let status = message.body.withUnsafeBytes { body in
            let bytes = amqp_bytes_t(len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress))
            return amqp_basic_publish(connection, Self.channel, exchange, routingKey, mandatory, 0, &properties, bytes)
        }
        try check(status, "basic.publish")
    }

    /// The broker's goodbye to the channel or the connection, answered, as an error; nil for any other method.
    func acceptClose(_ method: amqp_method_t, operation: String) -> AMQPError? {
        switch method.id {
        case AMQP_CHANNEL_CLOSE_METHOD:
            var answer = amqp_channel_close_ok_t()
            amqp_send_method(connection, Self.channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &answer)
        case AMQP_CONNECTION_CLOSE_METHOD:
            var answer = amqp_connection_close_ok_t()
            amqp_send_method(connection, 0, AMQP_CONNECTION_CLOSE_OK_METHOD, &answer)
        default:
            return nil
        }
        return AMQPError(exception: method, operation: operation)
    }
}
