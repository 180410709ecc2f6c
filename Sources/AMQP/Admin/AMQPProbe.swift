/// A one-shot check that a broker can be reached and has what is needed.
public enum AMQPProbe {
    /// What a check found.
    public struct Report: Sendable {
        /// The broker, or why it could not be reached or logged into.
        public let server: Result<AMQPServerInfo, AMQPError>
        /// Each queue asked for, or why it cannot be used.
        public let queues: [String: Result<AMQPQueueStatus, AMQPError>]
        /// Each exchange asked for: nil when it exists, else why it cannot be used.
        public let exchanges: [String: AMQPError?]

        /// Whether the broker answered and everything asked for exists.
        public var isHealthy: Bool {
            guard case .success = server else { return false }
            let hasQueues = queues.values.allSatisfy { if case .success = $0 { true } else { false } }
            return hasQueues && exchanges.values.allSatisfy { $0 == nil }
        }
    }

    /// Connects, logs in and asks for queues and exchanges without creating any.
    public static func check(
        _ endpoint: AMQPEndpoint,
        queues: [String] = [],
        exchanges: [String] = []
    ) async -> Report {
        let result = await AMQPThread.run(name: "amqp-probe") {
            do throws(AMQPError) {
                return Result<Report, AMQPError>.success(try inspect(endpoint, queues, exchanges))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let report): return report
        case .failure(let error): return Report(server: .failure(error), queues: [:], exchanges: [:])
        }
    }

    private static func inspect(
        _ endpoint: AMQPEndpoint,
        _ queues: [String],
        _ exchanges: [String]
    ) throws(AMQPError) -> Report {
        let handle = try AMQPHandle(connecting: endpoint, name: "dispatcher probe")
        defer { handle.close() }
        let server = AMQPServerInfo(properties: handle.serverProperties())
        try handle.openChannel()
        var queueReports: [String: Result<AMQPQueueStatus, AMQPError>] = [:]
        for queue in queues {
            queueReports[queue] = try attempt(handle) { handle throws(AMQPError) in try handle.inspectQueue(queue) }
        }
        var exchangeReports: [String: AMQPError?] = [:]
        for exchange in exchanges {
            let report = try attempt(handle) { handle throws(AMQPError) in try handle.inspectExchange(exchange) }
            if case .failure(let error) = report {
                exchangeReports.updateValue(error, forKey: exchange)
            } else {
                exchangeReports.updateValue(nil, forKey: exchange)
            }
        }
        return Report(server: .success(server), queues: queueReports, exchanges: exchangeReports)
    }

    /// A refusal closes the channel only, so the next question needs a new one; other errors end the check.
    private static func attempt<Value>(
        _ handle: borrowing AMQPHandle,
        _ body: (borrowing AMQPHandle) throws(AMQPError) -> Value
    ) throws(AMQPError) -> Result<Value, AMQPError> {
        do throws(AMQPError) {
            return .success(try body(handle))
        } catch {
            guard error.replyCode != nil else { throw error }
            try handle.reopenChannel()
            return .failure(error)
        }
    }
}
