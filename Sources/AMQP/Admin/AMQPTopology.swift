import CRabbit

/// Declares, binds, inspects and deletes, one short connection per call; for tools and tests, not for workers.
public struct AMQPTopology: Sendable {
    private let endpoint: AMQPEndpoint

    /// Makes an administrator of a virtual host.
    public init(endpoint: AMQPEndpoint) {
        self.endpoint = endpoint
    }

    /// Declares a durable queue.
    public func declareQueue(_ name: String, arguments: [String: AMQPValue] = [:]) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in try handle.declareQueue(name, arguments: arguments) }
    }

    /// Deletes a queue with its messages; one that does not exist is no error.
    public func deleteQueue(_ name: String) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in try handle.deleteQueue(name) }
    }

    /// Declares a durable exchange of a type such as `topic`.
    public func declareExchange(
        _ name: String,
        type: String,
        arguments: [String: AMQPValue] = [:]
    ) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in
            try handle.declareExchange(name, type: type, arguments: arguments)
        }
    }

    /// Deletes an exchange; one that does not exist is no error.
    public func deleteExchange(_ name: String) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in try handle.deleteExchange(name) }
    }

    /// Binds a queue to an exchange.
    public func bind(queue: String, exchange: String, routingKey: String) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in
            try handle.bind(queue: queue, exchange: exchange, routingKey: routingKey)
        }
    }

    /// Drops the messages that wait in a queue.
    public func purge(_ queue: String) async throws(AMQPError) {
        try await perform { handle throws(AMQPError) in try handle.purge(queue) }
    }

    /// How many messages wait in a queue; those held by consumers do not count.
    public func messageCount(_ queue: String) async throws(AMQPError) -> Int {
        try await perform { handle throws(AMQPError) in try handle.inspectQueue(queue).messages }
    }

    /// How many consumers a queue has.
    public func consumerCount(_ queue: String) async throws(AMQPError) -> Int {
        try await perform { handle throws(AMQPError) in try handle.inspectQueue(queue).consumers }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing AMQPHandle) throws(AMQPError) -> Value
    ) async throws(AMQPError) -> Value {
        let endpoint = endpoint
        return try await AMQPThread.run(name: "amqp-topology") {
            do throws(AMQPError) {
                let handle = try AMQPHandle(connecting: endpoint, name: "dispatcher topology")
                defer { handle.close() }
                try handle.openChannel()
                return .success(try body(handle))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
