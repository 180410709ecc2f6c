/// Which of the three streams of work a job travels in; each has its own queues, so bulk never stands before urgent.
///
/// The raw value is what PostgreSQL stores.
enum Lane: Int16, CaseIterable, Sendable {
    case high = 0
    case normal = 1
    case bulk = 2

    var name: String {
        switch self {
        case .high: "high"
        case .normal: "normal"
        case .bulk: "bulk"
        }
    }

    var jobsQueue: String { "push.jobs.\(name)" }
    var jobsRoutingKey: String { "jobs.\(name)" }
    var batchesQueue: String { "push.batches.\(name)" }
    var batchesRoutingKey: String { "batches.\(name)" }
}
