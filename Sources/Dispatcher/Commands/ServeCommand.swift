/// Runs the HTTP API until it is told to stop.
struct ServeCommand: Command {
    static let words = ["serve"]
    static let summary = "answer apps and services over HTTP"
    static let help = """
        Usage: dispatcher serve

        Registers devices and takes send jobs over HTTP; docs/http-api.md says how. Start as many as you like, beside
        any number of workers.

        SIGTERM or SIGINT: takes no new connections, finishes the requests that run, exits 0. A second one ends at once
        with status 1.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL, DISPATCHER_HTTP_ADDRESS (127.0.0.1:8080),
        DISPATCHER_HTTP_CERTIFICATE and DISPATCHER_HTTP_KEY (PEM files, for TLS), DISPATCHER_HTTP_CONNECTIONS (4096),
        DISPATCHER_HTTP_CONNECTIONS_PER_ADDRESS (no limit of its own), DISPATCHER_EVENTS,
        DISPATCHER_METRICS_ADDRESS, DISPATCHER_LOG_LEVEL.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        let configuration = try Configuration(.process)
        let settings = try HTTPSettings(.process)
        let log = Log(minimum: configuration.logLevel)
        if let lacking = DescriptorLimit.lacking(for: settings.connections) {
            log.warning("serve.descriptors", ["reason": lacking])
        }
        let metrics = try MetricsServer.start(configuration.metricsAddress, log: log)
        let server = try await APIServer.start(configuration, settings, log: log)
        metrics?.watch(server)
        let signals = StopSignals()
        await signals.first()
        signals.onSecond { log.warning("serve.forced", [:]) }
        await server.stop()
        await metrics?.stop()
    }
}
