import AMQP
import Postgres

/// Whether the table of dead letters and the queue `push.dead` agree, and nothing waits to become one.
struct DeadLetterCheck {
    private let configuration: Configuration

    /// Workers file while the two are counted, so a difference has to last.
    private static let tries = 4
    private static let pause = Duration.milliseconds(300)

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// No finding when one of the two cannot be asked: other checks say so.
    func run() async -> [Finding] {
        guard let endpoint = try? configuration.brokerEndpoint(),
            let pool = try? configuration.pool(size: 1, log: Log(minimum: .error))
        else { return [] }
        let topology = AMQPTopology(endpoint: endpoint)
        let finding = try? await judge(DeadLetterStore(pool: pool), topology)
        await pool.close()
        let unroutable = try? await unroutable(topology)
        return [finding, unroutable].compactMap { $0 }
    }

    /// Workers file what is in there; what stays has none.
    private func unroutable(_ topology: AMQPTopology) async throws -> Finding {
        var waiting = try await topology.messageCount(UnroutableLane.queue)
        for _ in 1..<Self.tries where waiting > 0 {
            try await Task.sleep(for: Self.pause)
            waiting = try await topology.messageCount(UnroutableLane.queue)
        }
        guard waiting > 0 else { return .good("unroutable", "none") }
        let advice = "start a worker or run 'dispatcher dead-letters collect'"
        return .wrong("unroutable", "\(waiting) messages that no queue took wait in push.unroutable; \(advice)")
    }

    private func judge(_ store: DeadLetterStore, _ topology: AMQPTopology) async throws -> Finding {
        var counts = try await count(store, topology)
        for _ in 1..<Self.tries where counts.open != counts.waiting {
            try await Task.sleep(for: Self.pause)
            counts = try await count(store, topology)
        }
        guard counts.open != counts.waiting else { return .good("dead letters", "\(counts.open) open") }
        let advice = "run 'dispatcher dead-letters collect'"
        return .wrong("dead letters", "\(counts.open) open, but \(counts.waiting) in push.dead; \(advice)")
    }

    private func count(
        _ store: DeadLetterStore,
        _ topology: AMQPTopology
    ) async throws -> (open: Int, waiting: Int) {
        let waiting = try await topology.messageCount(DeadQueueTurn.queue)
        return (try await store.openCount(), waiting)
    }
}
