import Testing

@testable import AMQP

@Suite("AMQPPublisher", .enabled(if: Broker.isConfigured), .timeLimit(.minutes(4)))
struct AMQPPublisherTests {
    private func withPublisher(_ body: (AMQPPublisher, EventLog) async throws -> Void) async throws {
        let log = EventLog()
        let publisher = AMQPPublisher(endpoint: try Broker.endpoint(), connectionName: "publisher") { log.record($0) }
        publisher.start()
        do {
            try await body(publisher, log)
        } catch {
            await publisher.stop()
            throw error
        }
        await publisher.stop()
        #expect(publisher.state.phase == .stopped)
    }

    @Test("a message no queue takes is returned, its neighbours are confirmed")
    func unroutable() async throws {
        try await Broker.withQueue("unroutable") { queue in
            try await withPublisher { publisher, _ in
                var messages = Broker.messages(100, to: queue)
                for index in [0, 17, 99] { messages[index].routingKey = "nowhere.\(queue)" }
                let results = await publisher.publish(messages, deadline: .seconds(10))
                for (index, result) in results.enumerated() {
                    #expect(
                        result == ([0, 17, 99].contains(index) ? .returned(code: 312, text: "NO_ROUTE") : .confirmed)
                    )
                }
            }
        }
    }

    @Test("a missing exchange confirms nothing and the publisher recovers")
    func missingExchange() async throws {
        try await Broker.withQueue("missing") { queue in
            try await withPublisher { publisher, log in
                let lost = AMQPMessage(exchange: Broker.uniqueName("no.exchange"), routingKey: "k", body: [1])
                let results = await publisher.publish([lost], deadline: .seconds(10))
                guard case .unknown = results.first else {
                    Issue.record("expected unknown, got \(results)")
                    return
                }
                #expect(log.count { if case .channelClosed(404, _) = $0 { true } else { false } } == 1)
                let again = await publisher.publish(Broker.messages(3, to: queue), deadline: .seconds(10))
                #expect(again == [.confirmed, .confirmed, .confirmed])
            }
        }
    }

    @Test("a full queue refuses")
    func refused() async throws {
        let topology = try Broker.topology()
        let queue = Broker.uniqueName("full")
        let limits: [String: AMQPValue] = [
            "x-max-length": 2, "x-overflow": "reject-publish", "x-queue-type": "classic",
        ]
        try await topology.declareQueue(queue, arguments: limits)
        try await withPublisher { publisher, _ in
            let results = await publisher.publish(Broker.messages(10, to: queue), deadline: .seconds(10))
            #expect(results.count { $0 == .confirmed } == 2)
            #expect(results.count { $0 == .refused } == 8)
        }
        try await topology.deleteQueue(queue)
    }

    @Test("a message that cannot be encoded is refused before the wire and harms no other")
    func unencodable() async throws {
        try await Broker.withQueue("unencodable") { queue in
            try await withPublisher { publisher, log in
                var messages = Broker.messages(3, to: queue)
                messages[1].properties.headers = ["h": .string(String(repeating: "x", count: 200_000))]
                let results = await publisher.publish(messages, deadline: .seconds(10))
                #expect(results[0] == .confirmed)
                #expect(results[1] == .unknown("not sent: headers larger than 100000 octets"))
                #expect(results[2] == .confirmed)
                #expect(log.disconnections == 0)
            }
        }
    }

    @Test("headers of the largest allowed size are confirmed")
    func largestHeaders() async throws {
        try await Broker.withQueue("largest") { queue in
            try await withPublisher { publisher, log in
                let text = String(repeating: "x", count: AMQPMessage.maximumHeaderSize - 11)
                var message = AMQPMessage(routingKey: queue, body: [1])
                message.properties.headers = ["h": .string(text)]
                #expect(await publisher.publish([message], deadline: .seconds(10)) == [.confirmed])
                #expect(log.disconnections == 0)
            }
        }
    }

    @Test("concurrent calls share the window and all are answered")
    func concurrentCalls() async throws {
        try await Broker.withQueue("concurrent") { queue in
            try await withPublisher { publisher, _ in
                let confirmed = await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            await publisher.publish(Broker.messages(100, to: queue), deadline: .seconds(30))
                                .count { $0 == .confirmed }
                        }
                    }
                    return await group.reduce(0, +)
                }
                #expect(confirmed == 2_000)
            }
            #expect(try await AMQPTopology(endpoint: Broker.endpoint()).messageCount(queue) == 2_000)
        }
    }

    @Test("without a broker the deadline answers")
    func deadline() async throws {
        let endpoint = try AMQPEndpoint(url: "amqp://127.0.0.1:1/")
        let publisher = AMQPPublisher(endpoint: endpoint, connectionName: "nobody") { _ in }
        publisher.start()
        let results = await publisher.publish(Broker.messages(2, to: "q"), deadline: .milliseconds(300))
        #expect(results == Array(repeating: .unknown("deadline passed before the confirm"), count: 2))
        #expect(publisher.state.phase == .connecting)
        #expect(publisher.state.lastError?.code == .connectFailed)
        await publisher.stop()
    }

    @Test("a publisher that does not run answers at once")
    func notRunning() async throws {
        let publisher = AMQPPublisher(endpoint: try Broker.endpoint(), connectionName: "idle") { _ in }
        #expect(
            await publisher.publish(Broker.messages(1, to: "q"), deadline: .seconds(60)) == [
                .unknown("not sent: not running")
            ]
        )
        await publisher.stop()
        #expect(
            await publisher.publish(Broker.messages(1, to: "q"), deadline: .seconds(60)) == [
                .unknown("not sent: not running")
            ]
        )
    }
}
