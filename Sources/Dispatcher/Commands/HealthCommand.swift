/// Asks a process of this machine how it is.
struct HealthCommand: Command {
    static let words = ["health"]
    static let summary = "ask the worker or API of this machine how it is"
    static let help = """
        Usage: dispatcher health [--ready]

        Asks DISPATCHER_METRICS_ADDRESS whether the process there lives, or with --ready whether it can work, and
        prints the answer. Exits 1 when it does not, or nobody answers: made for health checks of containers.

        Environment: DISPATCHER_METRICS_ADDRESS.
        """

    private let path: String

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        path = arguments.flag("--ready") ? "/health/ready" : "/health/live"
    }

    func run() async throws {
        guard let address = try Configuration(.process).metricsAddress else {
            throw ConfigurationError(variable: "DISPATCHER_METRICS_ADDRESS", reason: "is not set")
        }
        guard let answer = HealthProbe.ask(address, path) else { throw CommandFailure("nobody answers at \(address)") }
        print(answer.body)
        guard answer.status == 200 else { throw CommandFailure("status \(answer.status)") }
    }
}
