import AMQP
import DispatchCore

/// Publishes send jobs and prints their ids.
struct EnqueueCommand: Command {
    static let words = ["enqueue"]
    static let summary = "publish send jobs and print their ids"
    static let help = """
        Usage: dispatcher enqueue [FILE | -] [--queue high|normal|bulk]
               dispatcher enqueue --to AUDIENCE [--title TEXT] [--body TEXT] [--priority high|normal|low]
                                  [--ttl SECONDS] [--send-at TIME] [--time-zone device|ZONE] [--data JSON]
                                  [--hub NAME] [--queue …]

        Publishes jobs from FILE (JSON, one job a line; '-' is standard input), or one job made of the arguments.
        AUDIENCE is 'broadcast', 'user:ID', 'installation:ID', or a tag expression such as 'sports && !muted'.
        TIME is such as 2026-12-24T18:00:00Z, with --time-zone a local time without an offset: 2026-12-24T18:00:00.
        Every job is checked first; a wrong one is named with its line and nothing after it is published. A job without
        an id gets one. The ids are printed when the broker has confirmed the jobs, one a line.

        Environment: DISPATCHER_AMQP_URL.
        """

    private let source: JobSource
    private let lane: Lane?

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        if let name = try arguments.option("--queue") {
            guard let lane = Lane.allCases.first(where: { $0.name == name }) else {
                throw UsageError("--queue takes high, normal or bulk")
            }
            self.lane = lane
        } else {
            lane = nil
        }
        if let audience = try arguments.option("--to") {
            source = .job(try JobArguments(audience: audience, &arguments).json)
        } else {
            source = .lines(path: arguments.optionalPositional() ?? "-")
        }
    }

    /// Jobs published together: enough to fill the confirm window, few enough to hold in memory.
    private static let groupSize = 500

    func run() async throws {
        let configuration = try Configuration(.process)
        let publisher = AMQPPublisher(
            endpoint: try configuration.brokerEndpoint(),
            connectionName: "dispatcher enqueue",
            onEvent: { _ in }
        )
        publisher.start()
        do {
            try await publish(with: publisher)
        } catch {
            await publisher.stop()
            throw error
        }
        await publisher.stop()
    }

    private func publish(with publisher: AMQPPublisher) async throws {
        var group: [PreparedJob] = []
        for line in try source.lines() {
            group.append(try PreparedJob(line, lane: lane))
            guard group.count == Self.groupSize else { continue }
            try await send(group, with: publisher)
            group = []
        }
        try await send(group, with: publisher)
    }

    private func send(_ group: [PreparedJob], with publisher: AMQPPublisher) async throws {
        guard !group.isEmpty else { return }
        let results = await publisher.publishSigned(group.map(\.message), deadline: .seconds(30))
        for (job, result) in zip(group, results) {
            guard result == .confirmed else { throw CommandFailure("job \(job.id) was not published: \(result)") }
            print(job.id)
        }
    }
}
