import Testing

@testable import AMQP

@Suite("A lost connection", .enabled(if: Broker.isConfigured), .timeLimit(.minutes(4)))
struct ConnectionLossTests {
    private func withProxy(
        heartbeat: Int = 15,
        _ body: (TestProxy, AMQPEndpoint) async throws -> Void
    ) async throws {
        let direct = try Broker.endpoint()
        let proxy = TestProxy(target: direct.port)
        let host = direct.virtualHost == "/" ? "%2F" : direct.virtualHost
        var endpoint = try AMQPEndpoint(
            url: "amqp://\(direct.user):\(direct.password)@127.0.0.1:\(proxy.port)/\(host)"
        )
        endpoint.tuning.heartbeat = heartbeat
        try await body(proxy, endpoint)
        await proxy.stop()
    }

    private func consumer(_ queue: String, _ endpoint: AMQPEndpoint, _ log: EventLog) -> AMQPConsumer {
        AMQPConsumer(endpoint: endpoint, queue: queue, prefetch: 10, connectionName: queue) { log.record($0) }
    }

    @Test("a cut consumer comes back, and acknowledgements of the old channel are dropped")
    func cutConsumer() async throws {
        try await Broker.withQueue("cut") { queue in
            try await Broker.fill(queue, 2)
            try await withProxy { proxy, endpoint in
                let log = EventLog()
                let consumer = consumer(queue, endpoint, log)
                consumer.start()
                let first = await consumer.next(limit: 1)
                proxy.cut()
                #expect(await eventually { log.all.contains(.resubscribed) })
                // The tag is valid on the new channel too, but means another delivery there.
                for delivery in first { consumer.acknowledge(delivery.tag, multiple: true) }
                var again: [AMQPDelivery] = []
                while again.count < 2 { again += await consumer.next(limit: 2) }
                #expect(Set(again.map(\.tag.epoch)) != Set(first.map(\.tag.epoch)))
                #expect(Set(again.map(\.body)) == Set(Broker.messages(2, to: queue).map(\.body)))
                await consumer.stop()
                #expect(log.disconnections == 1)
            }
            let topology = try Broker.topology()
            #expect(await eventually { try await topology.messageCount(queue) == 2 })
        }
    }

    @Test("a frozen link is given up after missed heartbeats")
    func halfOpenConsumer() async throws {
        try await Broker.withQueue("frozen") { queue in
            try await withProxy(heartbeat: 1) { proxy, endpoint in
                let log = EventLog()
                let consumer = consumer(queue, endpoint, log)
                consumer.start()
                #expect(await eventually { consumer.state.phase == .ready })
                proxy.stall(true)
                #expect(await eventually { log.disconnections == 1 })
                proxy.stall(false)
                #expect(await eventually { consumer.state.phase == .ready })
                try await Broker.fill(queue, 1)
                #expect(await consumer.next(limit: 1).count == 1)
                await consumer.stop()
            }
        }
    }

    @Test("a publisher on a frozen link answers unknown and recovers")
    func halfOpenPublisher() async throws {
        try await Broker.withQueue("frozen.publish") { queue in
            try await withProxy(heartbeat: 1) { proxy, endpoint in
                let log = EventLog()
                let publisher = AMQPPublisher(endpoint: endpoint, connectionName: queue) { log.record($0) }
                publisher.start()
                #expect(await publisher.publish(Broker.messages(1, to: queue), deadline: .seconds(10)) == [.confirmed])
                proxy.stall(true)
                let results = await publisher.publish(Broker.messages(1, to: queue), deadline: .seconds(15))
                guard case .unknown = results.first else {
                    Issue.record("expected unknown, got \(results)")
                    return
                }
                #expect(await eventually { log.disconnections == 1 })
                proxy.stall(false)
                #expect(await publisher.publish(Broker.messages(1, to: queue), deadline: .seconds(15)) == [.confirmed])
                await publisher.stop()
            }
        }
    }

    @Test("a call blocked by a peer that reads nothing is shut down")
    func blockedCall() async throws {
        try await Broker.withQueue("blocked", type: "classic") { queue in
            try await withProxy(heartbeat: 60) { proxy, endpoint in
                var endpoint = endpoint
                endpoint.tuning.stallLimit = .seconds(1)
                let log = EventLog()
                let publisher = AMQPPublisher(endpoint: endpoint, connectionName: queue) { log.record($0) }
                publisher.start()
                #expect(await publisher.publish(Broker.messages(1, to: queue), deadline: .seconds(10)) == [.confirmed])
                proxy.stall(true)
                // More than the kernel's socket buffers on both sides take (up to 38 MB here).
                let large = AMQPMessage(routingKey: queue, body: [UInt8](repeating: 1, count: 15_000_000))
                async let answers = publisher.publish(Array(repeating: large, count: 5), deadline: .seconds(8))
                #expect(await eventually(within: .seconds(6)) { log.disconnections == 1 })
                let results = await answers
                #expect(results.allSatisfy { if case .unknown = $0 { true } else { false } })
                #expect(results.first != results.last, "the one on its way has another reason than the unsent")
                proxy.stall(false)
                await publisher.stop()
            }
        }
    }

    @Test("idle connections outlive several heartbeats")
    func idle() async throws {
        try await Broker.withQueue("idle") { queue in
            let log = EventLog()
            let endpoint = try Broker.endpoint(heartbeat: 2)
            let consumer = consumer(queue, endpoint, log)
            let publisher = AMQPPublisher(endpoint: endpoint, connectionName: queue) { log.record($0) }
            consumer.start()
            publisher.start()
            #expect(await eventually { consumer.state.phase == .ready && publisher.state.phase == .ready })
            // The passing of time is what is tested: the broker closes a silent connection after two heartbeats.
            try await Task.sleep(for: .seconds(7))
            #expect(await publisher.publish(Broker.messages(1, to: queue), deadline: .seconds(5)) == [.confirmed])
            #expect(await consumer.next(limit: 1).count == 1)
            #expect(log.disconnections == 0)
            await publisher.stop()
            await consumer.stop()
        }
    }
}
