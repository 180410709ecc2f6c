import AMQP
import Gateways
import Postgres

extension Log {
    /// What happens to a broker connection.
    func broker(_ event: AMQPEvent, queue: String) {
        info("broker", ["queue": queue, "state": String(describing: event)])
    }

    /// What happens to a database connection.
    func database(_ event: PostgresEvent) {
        switch event {
        case .connected: debug("database.connected")
        case .connectionLost(let error): warning("database.lost", ["error": error])
        case .notice(let severity, let text): debug("database.notice", ["severity": severity, "text": text])
        }
    }

    /// Another mode of the simulated gateway, or why a file does not say one.
    func simulation(_ change: Result<SimulatedModes, SimulatedGateway.ConfigurationError>) {
        switch change {
        case .success: info("simulation.mode")
        case .failure(let error): warning("simulation.mode_unreadable", ["error": error])
        }
    }
}
