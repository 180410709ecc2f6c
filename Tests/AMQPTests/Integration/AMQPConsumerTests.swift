import Testing

@testable import AMQP

@Suite("AMQPConsumer", .enabled(if: Broker.isConfigured), .timeLimit(.minutes(4)))
struct AMQPConsumerTests {
    private func withConsumer(
        _ queue: String,
        prefetch: Int = 100,
        endpoint: AMQPEndpoint? = nil,
        _ body: (AMQPConsumer, EventLog) async throws -> Void
    ) async throws {
        let log = EventLog()
        let consumer = AMQPConsumer(
            endpoint: try endpoint ?? Broker.endpoint(),
            queue: queue,
            prefetch: prefetch,
            connectionName: queue
        ) { log.record($0) }
        consumer.start()
        do {
            try await body(consumer, log)
        } catch {
            await consumer.stop()
            throw error
        }
        await consumer.stop()
        #expect(consumer.state.phase == .stopped)
    }

    private func take(_ count: Int, from consumer: AMQPConsumer) async -> [AMQPDelivery] {
        var taken: [AMQPDelivery] = []
        while taken.count < count {
            let batch = await consumer.next(limit: count - taken.count)
            if batch.isEmpty { break }
            taken += batch
        }
        return taken
    }

    @Test(
        "20,000 messages arrive once, in order, and leave by multiple acknowledgements",
        arguments: ["quorum", "classic"]
    )
    func throughput(type: String) async throws {
        try await Broker.withQueue("throughput", type: type) { queue in
            try await Broker.fill(queue, 20_000)
            try await withConsumer(queue, prefetch: 1_000) { consumer, _ in
                var floor = AckFloor()
                var count = 0
                while count < 20_000 {
                    let batch = await consumer.next(limit: 500)
                    for (offset, delivery) in batch.enumerated() {
                        floor.register(delivery.tag)
                        #expect(delivery.body == Array("message \(count + offset)".utf8))
                    }
                    count += batch.count
                    if let tag = floor.complete(batch.map(\.tag)) { consumer.acknowledge(tag, multiple: true) }
                }
                #expect(count == 20_000)
            }
            #expect(try await AMQPTopology(endpoint: Broker.endpoint()).messageCount(queue) == 0)
        }
    }

    @Test("several callers share the deliveries without loss or repetition")
    func severalCallers() async throws {
        try await Broker.withQueue("several", type: "classic") { queue in
            try await Broker.fill(queue, 2_000)
            try await withConsumer(queue) { consumer, _ in
                let bodies = await withTaskGroup(of: [[UInt8]].self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            var mine: [[UInt8]] = []
                            while mine.count < 250 {
                                for delivery in await consumer.next(limit: min(7, 250 - mine.count)) {
                                    mine.append(delivery.body)
                                    consumer.acknowledge(delivery.tag, multiple: false)
                                }
                            }
                            return mine
                        }
                    }
                    return await group.reduce(into: []) { $0 += $1 }
                }
                #expect(Set(bodies).count == 2_000)
            }
        }
    }

    @Test("properties and headers arrive as published")
    func properties() async throws {
        try await Broker.withQueue("properties") { queue in
            let properties = AMQPProperties(
                contentType: "application/json",
                contentEncoding: "identity",
                messageID: "m-1",
                correlationID: "c-1",
                userID: try Broker.endpoint().user,
                appID: "tests",
                type: "kind",
                replyTo: "there",
                expiration: "60000",
                priority: 3,
                timestamp: 1_700_000_000,
                headers: ["n": 1, "t": .table(["x": "y"])]
            )
            let publisher = AMQPPublisher(endpoint: try Broker.endpoint(), connectionName: queue) { _ in }
            publisher.start()
            let body = [UInt8](repeating: 7, count: 300_000)
            let messages = [
                AMQPMessage(routingKey: queue, body: body, properties: properties),
                AMQPMessage(routingKey: queue, body: []),
            ]
            #expect(await publisher.publish(messages, deadline: .seconds(10)) == [.confirmed, .confirmed])
            await publisher.stop()
            try await withConsumer(queue) { consumer, _ in
                let deliveries = await take(2, from: consumer)
                #expect(deliveries.map(\.properties) == [properties, AMQPProperties()])
                #expect(deliveries.map(\.body) == [body, []])
                #expect(deliveries.map(\.routingKey) == [queue, queue])
                for delivery in deliveries { consumer.reject(delivery.tag, requeue: true) }
                let again = await take(2, from: consumer)
                #expect(again.allSatisfy { $0.isRedelivered && $0.deliveryCount == 1 })
            }
        }
    }

    @Test("a multiple acknowledgement around rejected deliveries keeps the channel")
    func rejectsBetween() async throws {
        try await Broker.withQueue("rejects") { queue in
            try await Broker.fill(queue, 10)
            try await withConsumer(queue) { consumer, log in
                var floor = AckFloor()
                for delivery in await take(10, from: consumer) {
                    floor.register(delivery.tag)
                    let isOdd = delivery.tag.value % 2 == 1
                    if isOdd { consumer.reject(delivery.tag, requeue: false) }
                    let tag = isOdd ? floor.settle(delivery.tag) : floor.complete(delivery.tag)
                    if let tag { consumer.acknowledge(tag, multiple: true) }
                }
                try await Broker.fill(queue, 1)
                #expect(await take(1, from: consumer).count == 1)
                #expect(log.disconnections == 0)
            }
        }
    }

    @Test("pausing ends the subscription and leaves what was prefetched")
    func pauseAndResume() async throws {
        let topology = try Broker.topology()
        try await Broker.withQueue("pause") { queue in
            try await Broker.fill(queue, 5)
            try await withConsumer(queue, prefetch: 3) { consumer, log in
                let first = await take(1, from: consumer)
                #expect(await eventually { try await topology.messageCount(queue) == 2 })
                consumer.pause()
                #expect(await eventually { consumer.state.phase == .paused })
                let rest = await take(2, from: consumer)
                for delivery in first + rest { consumer.acknowledge(delivery.tag, multiple: false) }
                let waiting = try await topology.messageCount(queue)
                #expect(waiting == 2)
                consumer.resume()
                #expect(await take(2, from: consumer).count == 2)
                #expect(consumer.state.phase == .ready)
                #expect(log.disconnections == 0)
            }
        }
    }

    @Test("pausing again and again with messages in hand costs no connection, and no message comes twice")
    func pauseWithMessagesInHand() async throws {
        try await Broker.withQueue("hands") { queue in
            try await Broker.fill(queue, 300)
            try await withConsumer(queue, prefetch: 50) { consumer, log in
                var taken: [AMQPDelivery] = []
                for _ in 0..<8 {
                    taken += await take(30, from: consumer)
                    consumer.pause()
                    #expect(await eventually { consumer.state.phase == .paused })
                    for delivery in taken.suffix(30).prefix(10) {
                        consumer.acknowledge(delivery.tag, multiple: false)
                    }
                    consumer.resume()
                }
                taken += await take(60, from: consumer)
                #expect(Set(taken.map(\.body)).count == 300)
                #expect(taken.allSatisfy { !$0.isRedelivered } && log.disconnections == 0)
            }
        }
    }

    @Test("a deleted queue is reported and read again once it is back")
    func queueDeleted() async throws {
        let topology = try Broker.topology()
        try await Broker.withQueue("deleted") { queue in
            try await withConsumer(queue) { consumer, log in
                #expect(await eventually { consumer.state.phase == .ready })
                try await topology.deleteQueue(queue)
                #expect(await eventually { log.all.contains(.consumerCancelled) })
                try await topology.declareQueue(queue, arguments: ["x-queue-type": "quorum"])
                #expect(await eventually { log.all.contains(.resubscribed) })
                try await Broker.fill(queue, 1)
                #expect(await take(1, from: consumer).count == 1)
            }
        }
    }

    @Test("stopping returns what was not acknowledged and flushes what was")
    func cleanStop() async throws {
        try await Broker.withQueue("stop") { queue in
            try await Broker.fill(queue, 10)
            try await withConsumer(queue) { consumer, _ in
                let taken = await take(4, from: consumer)
                for delivery in taken.prefix(3) { consumer.acknowledge(delivery.tag, multiple: false) }
                _ = await consumer.next(limit: 100)
                await consumer.stop()
                #expect(await consumer.next(limit: 1).isEmpty)
            }
            let topology = try Broker.topology()
            #expect(await eventually { try await topology.messageCount(queue) == 7 })
        }
    }

    @Test("a cancelled or stopped wait ends empty")
    func endedWaits() async throws {
        try await Broker.withQueue("waits") { queue in
            try await withConsumer(queue) { consumer, _ in
                #expect(await eventually { consumer.state.phase == .ready })
                let cancelled = Task { await consumer.next(limit: 1) }
                let stopped = Task { await consumer.next(limit: 1) }
                cancelled.cancel()
                #expect(await cancelled.value.isEmpty)
                await consumer.stop()
                #expect(await stopped.value.isEmpty)
            }
        }
    }
}
