import DispatchCore

/// What a worker counts for its metrics; added to once a wave or a batch.
struct WorkerTally: Sendable {
    struct Refusal: Hashable, Sendable {
        let queue: String
        let reason: String
    }

    struct Answer: Hashable, Sendable {
        let platform: Int16
        let state: DeliveryState
    }

    var jobs = [Int](repeating: 0, count: Lane.allCases.count)
    var repeatedJobs = [Int](repeating: 0, count: Lane.allCases.count)
    var deliveries: [Answer: Int] = [:]
    /// By the platform's number; the first attempts and the others.
    var attempts = [(first: Int, later: Int)](repeating: (0, 0), count: Platform.allCases.count + 1)
    var retries = 0
    var parked = 0
    var retired = 0
    var deadLetters: [Refusal: Int] = [:]
    var verdicts: [CrashVerdict: Int] = [:]
    var messages: [String: Int] = [:]
    var waves: [String: LatencyHistogram] = [:]
    var gateway = LatencyHistogram()
    var record = LatencyHistogram()

    mutating func add(_ record: BatchRecord) {
        for (key, count) in record.outcomes {
            deliveries[Answer(platform: key.platform, state: key.state), default: 0] += Int(count)
        }
        retries += record.retries.count - record.parked
        parked += record.parked
        retired += record.retirements.count
    }

    func write(to page: inout MetricPage) {
        page.add(.jobs, Lane.allCases.map { .init([$0.name], jobs[Int($0.rawValue)]) })
        page.add(.repeatedJobs, Lane.allCases.map { .init([$0.name], repeatedJobs[Int($0.rawValue)]) })
        page.add(.deliveries, deliverySamples)
        page.add(.attempts, attemptSamples)
        page.add(.retries, retries)
        page.add(.parked, parked)
        page.add(.retired, retired)
        page.add(.deadLetters, deadLetters.map { .init([$0.queue, $0.reason], $1) })
        page.add(.crashVerdicts, CrashVerdict.allCases.map { .init([$0.rawValue], verdicts[$0] ?? 0) })
        page.add(.messages, messages.map { .init([$0], $1) })
        page.add(.waveTime, waves.map { ([$0], $1) })
        page.add(.gatewayTime, [([], gateway)])
        page.add(.recordTime, [([], record)])
    }

    /// A device that is gone has no platform.
    private var deliverySamples: [MetricPage.Sample] {
        deliveries.map { answer, count in
            .init([Platform(rawValue: answer.platform)?.name ?? "none", answer.state.name], count)
        }
    }

    private var attemptSamples: [MetricPage.Sample] {
        Platform.allCases.flatMap { platform in
            let count = attempts[Int(platform.rawValue)]
            return [
                MetricPage.Sample([platform.name, "false"], count.first),
                MetricPage.Sample([platform.name, "true"], count.later),
            ]
        }
    }
}
