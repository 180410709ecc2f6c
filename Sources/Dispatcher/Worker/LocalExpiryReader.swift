import DispatchCore

/// Gives each device its own end, where a job lives for some time from the moment that each device's clock shows.
struct LocalExpiryReader: Sendable {
    let store: LocalTimeStore
    let log: Log
    let backoff: Backoff

    /// The batch with such notifications split by their devices' ends; nil when the drain has run out of time.
    func read(for batch: BatchWork) async -> BatchWork? {
        guard batch.parts.contains(where: { $0.notification.localLifetime != nil }) else { return batch }
        return await backoff.insist("expiry.failed", batch: batch.id, log: log) {
            var batch = batch
            var parts: [BatchWork.Part] = []
            for part in batch.parts { parts += try await split(part) }
            batch.parts = parts
            return batch
        }
    }

    /// Runs of devices with the same end, in the order in which they are.
    private func split(_ part: BatchWork.Part) async throws -> [BatchWork.Part] {
        guard let (time, lifetime) = part.notification.localLifetime, !part.targets.isEmpty else { return [part] }
        let moments = try await store.moments(of: time, on: part.targets.map(\.installation))
        let ends = part.targets.map { target in
            moments[target.installation].map { min($0 + lifetime, part.notification.expiresAt) }
                ?? part.notification.expiresAt
        }
        var runs: [BatchWork.Part] = []
        var start = 0
        for index in 1...part.targets.count where index == part.targets.count || ends[index] != ends[start] {
            let targets = Array(part.targets[start..<index])
            runs.append(BatchWork.Part(notification: part.notification.ending(at: ends[start]), targets: targets))
            start = index
        }
        return runs
    }
}

extension NotificationWork {
    /// What the devices' clocks show when it begins, and for how long it lives from then on.
    fileprivate var localLifetime: (time: Timestamp, lifetime: Duration)? {
        guard let time = job.localTime, let lifetime = job.options.lifetime else { return nil }
        return (time, lifetime)
    }

    fileprivate func ending(at end: Timestamp) -> NotificationWork {
        NotificationWork(id: id, hub: hub, job: job, expiresAt: end, isCancelled: isCancelled, unreadable: unreadable)
    }
}
