import DispatchCore
import Synchronization

/// What this worker has done since it started; its row in the database repeats them at every heartbeat.
final class WorkerCounters: Sendable {
    private let jobCount = Atomic<Int64>(0)
    private let deliveryCount = Atomic<Int64>(0)
    private let installationCount = Atomic<Int64>(0)
    private let receiptCount = Atomic<Int64>(0)
    private let tally = Mutex(WorkerTally())

    let connections = ConnectionTally()

    var jobs: Int64 { jobCount.load(ordering: .relaxed) }
    var deliveries: Int64 { deliveryCount.load(ordering: .relaxed) }
    var installations: Int64 { installationCount.load(ordering: .relaxed) }
    var receipts: Int64 { receiptCount.load(ordering: .relaxed) }

    /// New notifications of a wave, and jobs that were known before.
    func addJobs(_ count: Int, repeated: Int, lane: Lane) {
        jobCount.add(Int64(count), ordering: .relaxed)
        tally.withLock {
            $0.jobs[Int(lane.rawValue)] += count
            $0.repeatedJobs[Int(lane.rawValue)] += repeated
        }
    }

    func addInstallations(_ count: Int) { installationCount.add(Int64(count), ordering: .relaxed) }
    func addReceipts(_ count: Int) { receiptCount.add(Int64(count), ordering: .relaxed) }

    /// A batch that is recorded, and how long that took.
    func add(_ record: BatchRecord, in time: Duration) {
        deliveryCount.add(Int64(record.answered), ordering: .relaxed)
        tally.withLock { tally in
            tally.add(record)
            tally.record.add(time)
        }
    }

    /// What goes to a gateway together.
    func addAttempts(_ requests: [PushRequest]) {
        tally.withLock { tally in
            for request in requests {
                let platform = Int(request.push.platform.rawValue)
                if request.attempt > 1 {
                    tally.attempts[platform].later += 1
                } else {
                    tally.attempts[platform].first += 1
                }
            }
        }
    }

    func addGatewayTime(_ time: Duration) { tally.withLock { $0.gateway.add(time) } }

    /// A wave that a lane is done with.
    func addWave(_ messages: Int, from queue: String, in time: Duration) {
        tally.withLock { tally in
            tally.messages[queue, default: 0] += messages
            tally.waves[queue, default: LatencyHistogram()].add(time)
        }
    }

    /// Messages that were filed as dead letters.
    func add(_ rejections: [Rejection]) {
        tally.withLock { tally in
            for rejection in rejections {
                tally.deadLetters[.init(queue: rejection.queue, reason: rejection.reason), default: 0] += 1
            }
        }
    }

    /// What was found out about a batch that may crash workers.
    func add(_ verdict: CrashVerdict) { tally.withLock { $0.verdicts[verdict, default: 0] += 1 } }

    func write(to page: inout MetricPage) {
        tally.withLock { $0 }.write(to: &page)
        page.add(.installations, Int(installations))
        page.add(.receipts, Int(receipts))
    }
}
