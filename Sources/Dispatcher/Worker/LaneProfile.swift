/// How much of one lane a worker takes on at a time.
///
/// A worker killed between the first gateway call and the record leaves what it had in flight ambiguous. Promise 3 bounds
/// that by one batch, 1,000 deliveries, so the budgets of all lanes add up to 1,000: 900 shared by normal and bulk, 100
/// kept for urgent jobs, which therefore never wait for a broadcast.
struct LaneProfile: Sendable {
    /// Concurrent waves of jobs, so that broker, database and gateway overlap.
    let jobWaves: Int

    /// Concurrent published batches.
    let batches: Int

    /// The most jobs one wave takes: enough to share a commit, few enough to stay quick.
    let waveLimit: Int

    /// The most deliveries that are sent and recorded together.
    let batchLimit: Int

    /// Unacknowledged job messages: one wave in each pair of hands and one waiting.
    var jobPrefetch: Int { waveLimit * (jobWaves + 1) }

    /// A claimed batch is acknowledged at once; one chain in each pair of hands and one waiting.
    var batchPrefetch: Int { batches * 8 }

    static func of(_ lane: Lane) -> LaneProfile {
        switch lane {
        case .high: LaneProfile(jobWaves: 2, batches: 1, waveLimit: 50, batchLimit: 50)
        case .normal: LaneProfile(jobWaves: 2, batches: 1, waveLimit: 400, batchLimit: 450)
        case .bulk: LaneProfile(jobWaves: 1, batches: 2, waveLimit: 400, batchLimit: 450)
        }
    }

    static let urgentBudget = 100
    static let sharedBudget = 900

    /// Audiences up to this size are sent by the wave that resolved them; larger ones become published batches.
    static let smallAudience = 40
}
