import CRabbit

extension AMQPHandle {
    func declareQueue(_ name: String, arguments: [String: AMQPValue]) throws(AMQPError) {
        let pool = AMQPPool()
        amqp_queue_declare(connection, Self.channel, pool.bytes(name), 0, 1, 0, 0, pool.table(arguments))
        try check("queue.declare")
    }

    func deleteQueue(_ name: String) throws(AMQPError) {
        let pool = AMQPPool()
        amqp_queue_delete(connection, Self.channel, pool.bytes(name), 0, 0)
        try check("queue.delete")
    }

    /// Messages waiting and consumers, by a passive declaration.
    func inspectQueue(_ name: String) throws(AMQPError) -> AMQPQueueStatus {
        let pool = AMQPPool()
        let answer = amqp_queue_declare(connection, Self.channel, pool.bytes(name), 1, 0, 0, 0, amqp_empty_table)
        try check("queue.declare passive")
        guard let counts = answer?.pointee else {
            throw AMQPError(.protocolViolation, operation: "queue.declare passive", reason: "no answer")
        }
        return AMQPQueueStatus(messages: Int(counts.message_count), consumers: Int(counts.consumer_count))
    }

    func declareExchange(_ name: String, type: String, arguments: [String: AMQPValue]) throws(AMQPError) {
        let pool = AMQPPool()
        let (name, type, arguments) = (pool.bytes(name), pool.bytes(type), pool.table(arguments))
        amqp_exchange_declare(connection, Self.channel, name, type, 0, 1, 0, 0, arguments)
        try check("exchange.declare")
    }

    func inspectExchange(_ name: String) throws(AMQPError) {
        let pool = AMQPPool()
        let (name, type) = (pool.bytes(name), pool.bytes("direct"))
        amqp_exchange_declare(connection, Self.channel, name, type, 1, 0, 0, 0, amqp_empty_table)
        try check("exchange.declare passive")
    }

    func deleteExchange(_ name: String) throws(AMQPError) {
        let pool = AMQPPool()
        amqp_exchange_delete(connection, Self.channel, pool.bytes(name), 0)
        try check("exchange.delete")
    }

    func bind(queue: String, exchange: String, routingKey: String) throws(AMQPError) {
        let pool = AMQPPool()
        let (queue, exchange, key) = (pool.bytes(queue), pool.bytes(exchange), pool.bytes(routingKey))
        amqp_queue_bind(connection, Self.channel, queue, exchange, key, amqp_empty_table)
        try check("queue.bind")
    }

    func purge(_ queue: String) throws(AMQPError) {
        let pool = AMQPPool()
        amqp_queue_purge(connection, Self.channel, pool.bytes(queue))
        try check("queue.purge")
    }

    /// Makes the channel usable again after the broker closed it in answer to a method.
    func reopenChannel() throws(AMQPError) {
        var answer = amqp_channel_close_ok_t()
        try check(amqp_send_method(connection, Self.channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &answer), "channel.close-ok")
        try openChannel()
    }

    /// What the broker said about itself.
    func serverProperties() -> [String: AMQPValue] {
        guard let table = amqp_get_server_properties(connection) else { return [:] }
        return AMQPValue.members(of: table.pointee)
    }
}
