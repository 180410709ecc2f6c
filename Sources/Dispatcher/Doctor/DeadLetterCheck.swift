import AMQP
import Postgres

/// Whether the table of dead letters and the queue `push.dead` agree.
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
        let finding = try? await judge(DeadLetterStore(pool: pool), AMQPTopology(endpoint: endpoint))
        await pool.close()
        return finding.map { [$0] } ?? []
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
