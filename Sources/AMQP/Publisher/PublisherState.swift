/// What a publisher's thread and its callers share, under one lock.
struct PublisherState {
    var connection = AMQPConnectionState(.connecting)
    var thread: AMQPThread?
    var tick: Int?
    private(set) var isStopping = false
    private var queued: [PublishBatch] = []
    private var live: [PublishBatch] = []

    /// Queues a batch; false when nobody would ever send it.
    mutating func enqueue(_ batch: PublishBatch) -> Bool {
        guard thread != nil, !isStopping else { return false }
        queued.append(batch)
        live.append(batch)
        return true
    }

    /// The batches that came since the last call.
    mutating func takeQueued() -> [PublishBatch] {
        defer { queued.removeAll(keepingCapacity: true) }
        return queued
    }

    /// The batches whose callers still wait.
    mutating func takeLive() -> [PublishBatch] {
        live.removeAll { $0.isFinished }
        return live
    }

    mutating func stop() {
        isStopping = true
    }
}
