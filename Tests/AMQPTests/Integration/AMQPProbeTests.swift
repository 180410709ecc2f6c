import Testing

@testable import AMQP

@Suite("AMQPProbe", .enabled(if: Broker.isConfigured), .timeLimit(.minutes(4)))
struct AMQPProbeTests {
    @Test("tells the server, and what exists from what does not")
    func report() async throws {
        let topology = try Broker.topology()
        let exchange = Broker.uniqueName("exchange")
        try await topology.declareExchange(exchange, type: "topic")
        try await Broker.withQueue("probe") { queue in
            try await topology.bind(queue: queue, exchange: exchange, routingKey: "a.#")
            let report = await AMQPProbe.check(
                try Broker.endpoint(),
                queues: ["missing.\(queue)", queue],
                exchanges: ["missing.\(queue)", exchange]
            )
            #expect(try report.server.get().product == "RabbitMQ")
            #expect(try report.queues[queue]?.get() == AMQPQueueStatus(messages: 0, consumers: 0))
            guard case .failure(let error) = report.queues["missing.\(queue)"] else {
                Issue.record("a missing queue must be an error")
                return
            }
            #expect(error.code == .notFound)
            #expect(report.exchanges[exchange] == .some(.none))
            #expect(report.exchanges["missing.\(queue)"]??.code == .notFound)
            #expect(!report.isHealthy)
        }
        try await topology.deleteExchange(exchange)
    }

    @Test("a wrong password is refused without being shown")
    func wrongPassword() async throws {
        let port = try Broker.endpoint().port
        let report = await AMQPProbe.check(try AMQPEndpoint(url: "amqp://guest:hunter2@127.0.0.1:\(port)/"))
        guard case .failure(let error) = report.server else {
            Issue.record("the login must fail")
            return
        }
        #expect(error.code == .accessRefused)
        #expect(!error.isRetryable)
        #expect(!error.description.contains("hunter2"))
    }

    @Test("a purged queue is empty")
    func purge() async throws {
        try await Broker.withQueue("purge") { queue in
            let topology = try Broker.topology()
            try await Broker.fill(queue, 5)
            try await topology.purge(queue)
            #expect(try await topology.messageCount(queue) == 0)
        }
    }
}
