import AMQP

/// What the doctor asks the broker.
struct BrokerCheck {
    private let configuration: Configuration

    private static let exchanges = [
        IntakeExchange.name, OutboxRelay.exchange, BatchPublisher.exchange, DeadLetterOffice.exchange,
    ]
    private static let queues =
        Lane.allCases.flatMap { [$0.jobsQueue, $0.batchesQueue] } + DeviceQueue.allCases.map(\.name)
        + [DeadQueueTurn.queue, UnroutableLane.queue]

    /// The release from which the broker's rules that the topology relies on hold.
    private static let oldest = (3, 10)

    private static let preconditionFailed = 406

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    func run() async -> [Finding] {
        do {
            let endpoint = try configuration.brokerEndpoint()
            let report = await AMQPProbe.check(endpoint, queues: Self.queues, exchanges: Self.exchanges)
            return [transport(endpoint)] + findings(report) + (await otherTypes(endpoint, report))
        } catch {
            return [.wrong("broker", String(describing: error))]
        }
    }

    private func findings(_ report: AMQPProbe.Report) -> [Finding] {
        switch report.server {
        case .failure(let error):
            [.wrong("broker", "\(error); check DISPATCHER_AMQP_URL and that the server is up")]
        case .success(let server):
            [Self.version(server.product, server.version)] + Self.exchanges.map { exchange($0, report) }
                + Self.queues.map { queue($0, report) }
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

    static func version(_ product: String, _ version: String) -> Finding {
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        let found = (parts.first ?? 0, parts.dropFirst().first ?? 0)
        let text = "\(product) \(version)"
        return found >= oldest
            ? .good("broker", text) : .wrong("broker", "\(text); RabbitMQ \(oldest.0).\(oldest.1) or later is needed")
    }

    /// Queues that are there under their name and of another type, which loses what a quorum queue keeps.
    ///
    /// Only a declaration compares types. It changes nothing of a queue that is there, and it needs `configure`: a login
    /// without it learns nothing.
    private func otherTypes(_ endpoint: AMQPEndpoint, _ report: AMQPProbe.Report) async -> [Finding] {
        var found: [Finding] = []
        for name in Self.queues {
            guard case .success? = report.queues[name] else { continue }
            do throws(AMQPError) {
                try await AMQPTopology(endpoint: endpoint).declareQueue(name, arguments: Self.arguments(of: name))
            } catch {
                guard error.replyCode == Self.preconditionFailed else { continue }
                found.append(.wrong("queue \(name)", "\(error); move its messages, delete it, import definitions.json"))
            }
        }
        return found
    }

    /// As in definitions.json.
    private static func arguments(of queue: String) -> [String: AMQPValue] {
        let quorum: [String: AMQPValue] = ["x-queue-type": "quorum"]
        guard queue == DeviceQueue.installations.name else { return quorum }
        return quorum.merging(["x-single-active-consumer": .bool(true)]) { _, single in single }
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
    ///
    /// Only a number is; a name that begins like one may lead anywhere.
    var isLoopback: Bool { host == "localhost" || LoopbackAddress.contains(host) }
}
