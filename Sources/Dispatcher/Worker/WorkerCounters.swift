import Synchronization

/// What this worker has done since it started; its row in the database repeats them at every heartbeat.
final class WorkerCounters: Sendable {
    private let jobCount = Atomic<Int64>(0)
    private let deliveryCount = Atomic<Int64>(0)
    private let installationCount = Atomic<Int64>(0)
    private let receiptCount = Atomic<Int64>(0)

    var jobs: Int64 { jobCount.load(ordering: .relaxed) }
    var deliveries: Int64 { deliveryCount.load(ordering: .relaxed) }
    var installations: Int64 { installationCount.load(ordering: .relaxed) }
    var receipts: Int64 { receiptCount.load(ordering: .relaxed) }

    func addJobs(_ count: Int) { jobCount.add(Int64(count), ordering: .relaxed) }
    func addDeliveries(_ count: Int) { deliveryCount.add(Int64(count), ordering: .relaxed) }
    func addInstallations(_ count: Int) { installationCount.add(Int64(count), ordering: .relaxed) }
    func addReceipts(_ count: Int) { receiptCount.add(Int64(count), ordering: .relaxed) }
}
