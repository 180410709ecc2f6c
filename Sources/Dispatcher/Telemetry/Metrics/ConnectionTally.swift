import AMQP
import Postgres
import Synchronization

/// Counts the connections that a process has lost.
final class ConnectionTally: Sendable {
    private struct State {
        var broker: [String: Int] = [:]
        var database = 0
    }

    private let state = Mutex(State())

    func count(_ event: AMQPEvent, of connection: String) {
        guard case .disconnected = event else { return }
        state.withLock { $0.broker[connection, default: 0] += 1 }
    }

    func count(_ event: PostgresEvent) {
        guard case .connectionLost = event else { return }
        state.withLock { $0.database += 1 }
    }

    /// Writes the losses, and which of the broker's connections stand.
    func write(to page: inout MetricPage, _ connections: [(name: String, state: AMQPConnectionState)]) {
        let (broker, database) = state.withLock { ($0.broker, $0.database) }
        page.add(.brokerConnected, connections.map { .init([$0.name], $0.state.isConnected ? 1 : 0) })
        page.add(.brokerLosses, connections.map { .init([$0.name], broker[$0.name] ?? 0) })
        page.add(.databaseLosses, database)
    }
}

extension AMQPConnectionState {
    /// Whether the connection stands, whatever it is used for.
    var isConnected: Bool {
        switch phase {
        case .ready, .paused, .blocked: true
        case .connecting, .stopped: false
        }
    }
}
