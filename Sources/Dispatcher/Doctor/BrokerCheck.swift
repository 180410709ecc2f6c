import AMQP

/// What the doctor asks the broker.
struct BrokerCheck {
    private let configuration: Configuration

    private static let exchanges = [
        IntakeExchange.name, OutboxRelay.exchange, BatchPublisher.exchange, DeadLetterOffice.exchange,
    ]
    private static let queues =
        Lane.allCases.flatMap { [$0.jobsQueue, $0.batchesQueue] } + DeviceQueue.allCases.map(\.name) + ["push.dead"]

    /// Releases between which the broker's rules that the topology relies on hold.
    private static let oldestMajor = 3

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    func run() async -> [Finding] {
        do {
            let endpoint = try configuration.brokerEndpoint()
            let report = await AMQPProbe.check(endpoint, queues: Self.queues, exchanges: Self.exchanges)
            return [transport(endpoint)] + findings(report)
        } catch {
            return [.wrong("broker", String(describing: error))]
        }
    }

    private func findings(_ report: AMQPProbe.Report) -> [Finding] {
        switch report.server {
        case .failure(let error):
            [.wrong("broker", "\(error); check DISPATCHER_AMQP_URL and that the server is up")]
        case .success(let server):
            [version(server)] + Self.exchanges.map { exchange($0, report) } + Self.queues.map { queue($0, report) }
        }
    }

    /// With `amqps` the server is verified, which cannot be turned off; without it whoever is between reads the password.
    private func transport(_ endpoint: AMQPEndpoint) -> Finding {
        if endpoint.usesTLS { return .good("broker transport", "TLS, verified") }
        if endpoint.isLoopback { return .good("broker transport", "local") }
        return configuration.transportTrust.broker
            ? .good("broker transport", "no TLS; \(TransportTrust.variable) allows it")
            : .wrong("broker transport", "no TLS to another machine; use amqps://")
    }

    private func version(_ server: AMQPServerInfo) -> Finding {
        let major = server.version.split(separator: ".").first.flatMap { Int($0) } ?? 0
        let text = "\(server.product) \(server.version)"
        return major >= Self.oldestMajor
            ? .good("broker", text) : .wrong("broker", "\(text); RabbitMQ 3.10 or later is needed")
    }

    private func exchange(_ name: String, _ report: AMQPProbe.Report) -> Finding {
        guard let error = report.exchanges[name].flatMap(\.self) else { return .good("exchange \(name)", "there") }
        return .wrong("exchange \(name)", "\(error); import definitions.json")
    }

    private func queue(_ name: String, _ report: AMQPProbe.Report) -> Finding {
        switch report.queues[name] {
        case .success(let status)?:
            .good("queue \(name)", "\(status.messages) messages, \(status.consumers) consumers")
        case .failure(let error)?:
            .wrong("queue \(name)", "\(error); import definitions.json")
        case nil:
            .wrong("queue \(name)", "not checked")
        }
    }
}

extension AMQPEndpoint {
    /// Whether the server is on this machine.
    fileprivate var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
