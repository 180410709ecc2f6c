import HTTP
import Synchronization

/// Tells metrics and health over HTTP, from before a process has reached its servers until after its last work.
///
/// It knows no credentials, so it belongs on loopback or a network of the operator's own.
final class MetricsServer: Sendable {
    private let process: ProcessBox
    private let server: HTTPServer

    private final class ProcessBox: Sendable {
        let value = Mutex<any MonitoredProcess>(StartingProcess())
    }

    /// Listens at once; nil when no address is set.
    static func start(_ address: ListenAddress?, log: Log) throws -> MetricsServer? {
        guard let address else { return nil }
        _ = ProcessFacts.startTime
        let server = try MetricsServer(address)
        try server.server.start()
        log.info("metrics.started", ["port": server.server.boundPort])
        return server
    }

    private init(_ address: ListenAddress) throws {
        var configuration = HTTPServerConfiguration()
        configuration.host = address.host
        configuration.port = address.port
        configuration.threads = 1
        configuration.connectionLimit = 64
        configuration.drainTimeLimit = .seconds(1)
        let box = ProcessBox()
        process = box
        server = try HTTPServer(
            configuration: configuration,
            policy: { $0.framing.hasBody ? .refuse(HTTPResponse(.contentTooLarge)) : .none },
            handler: { await Self.answer($0, box.value.withLock { $0 }) }
        )
    }

    /// From now on the answers are about this process.
    func watch(_ process: any MonitoredProcess) { self.process.value.withLock { $0 = process } }

    func stop() async { await server.stop() }

    private static func answer(_ request: HTTPRequest, _ process: any MonitoredProcess) async -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            var response = HTTPResponse(.methodNotAllowed)
            try? response.headers.add("Allow", "GET, HEAD")
            return response
        }
        switch request.target.segments {
        case ["metrics"]:
            var page = MetricPage()
            await process.write(to: &page)
            return HTTPResponse(.ok, contentType: MetricPage.contentType, bytes: Array(page.text.utf8))
        case ["health", "live"]: return HealthReport.liveness(await process.faults())
        case ["health", "ready"]: return HealthReport.readiness(await process.obstacles())
        default: return HTTPResponse(.notFound)
        }
    }
}
