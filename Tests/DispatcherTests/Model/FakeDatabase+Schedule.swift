import DispatchCore

@testable import Dispatcher

/// `ScheduleStore` and `WorkerStore`, and what people do.
extension FakeDatabase {
    struct Announcement: Equatable {
        let id: Int64
        let size: Int
        let lane: Lane
    }

    /// `ScheduleStore.takeDueRetries`, with the limits of its statement.
    mutating func takeDueRetries(limit: Int, batchLimit: (Lane) -> Int) -> [Announcement] {
        let due = retries.filter { $0.value.dueAt <= now }
            .sorted { ($0.value.dueAt, $0.key) < ($1.value.dueAt, $1.key) }
            .prefix(limit)
        return cut(Array(due), batchLimit: batchLimit)
    }

    /// `ScheduleStore.takeCancelledRetries`; all of them, notification by notification.
    mutating func takeCancelledRetries(batchLimit: (Lane) -> Int) -> [Announcement] {
        let ended = retries.filter { notifications[$0.key.notification]?.cancelledAt != nil }
        return Set(ended.keys.map(\.notification)).sorted { $0.rawValue < $1.rawValue }.flatMap { id in
            cut(ended.filter { $0.key.notification == id }.map { $0 }, batchLimit: batchLimit)
        }
    }

    private mutating func cut(
        _ due: [(key: DeliveryKey, value: Retry)],
        batchLimit: (Lane) -> Int
    ) -> [Announcement] {
        for (key, _) in due { retries[key] = nil }
        return Lane.allCases.flatMap { lane in
            let taken = due.filter { $0.value.lane == lane }.sorted { $0.key < $1.key }
            let limit = batchLimit(lane)
            return stride(from: 0, to: taken.count, by: limit).map { start in
                cut(Array(taken[start..<min(start + limit, taken.count)]), lane: lane)
            }
        }
    }

    private mutating func cut(_ piece: [(key: DeliveryKey, value: Retry)], lane: Lane) -> Announcement {
        var parts: [(id: NotificationID, size: Int)] = []
        for (key, _) in piece {
            if parts.last?.id == key.notification {
                parts[parts.count - 1].size += 1
            } else {
                parts.append((key.notification, 1))
            }
        }
        let batch = Batch(
            createdAt: now,
            epoch: 0,
            lane: lane,
            notifications: parts.map(\.id),
            sizes: parts.map(\.size),
            installations: piece.map(\.key.installation),
            attempts: piece.map(\.value.attempt)
        )
        return Announcement(id: insert(batch), size: piece.count, lane: lane)
    }

    /// `ScheduleStore.findUnannounced`.
    func findUnannounced() -> [Announcement] {
        let stale = batches.filter { _, batch in
            guard batch.worker == nil else { return false }
            guard let published = batch.publishedAt else { return batch.createdAt < now - .seconds(10) }
            return published < now - .seconds(900)
        }
        return announcements(stale.keys.sorted().prefix(ScheduleStore.batchesPerTick))
    }

    /// `ScheduleStore.rescue`: the plans.
    mutating func releaseLostPlans() {
        for (id, plan) in plans where plan.worker.map({ !isAlive($0) }) ?? false { release(planned: id) }
    }

    /// `ScheduleStore.rescue`: the batches.
    mutating func rescue() -> [Announcement] {
        guard !broken.contains(.noRescue) else { return [] }
        let lost = batches.filter { $0.value.worker.map { !isAlive($0) } ?? false }.keys.sorted()
        let taken = lost.prefix(ScheduleStore.batchesPerTick)
        noteLoss(of: taken)
        for id in taken { release(id) }
        return announcements(taken)
    }

    private func isAlive(_ worker: Int64) -> Bool { workers[worker].map { $0 >= now } ?? false }

    private mutating func release(planned id: NotificationID) {
        plans[id]?.worker = nil
        plans[id]?.epoch += 1
    }

    private mutating func noteLoss(of ids: some Sequence<Int64>) {
        var losses: [Int64: Int] = [:]
        for id in ids {
            guard let batch = batches[id], let owner = batch.worker,
                !history.unheard.contains(History.Intent(batch: id, epoch: batch.epoch))
            else { continue }
            losses[owner, default: 0] += batch.installations.count
        }
        for (worker, count) in losses { history.losses.append((worker, count)) }
    }

    private mutating func release(_ id: Int64) {
        batches[id]?.publishedAt = nil
        if !broken.contains(.rescueWithoutFlag) { batches[id]?.isAmbiguous = true }
        batches[id]?.worker = nil
        if !broken.contains(.epochStandsStill) { batches[id]?.epoch += 1 }
    }

    private func announcements(_ ids: some Sequence<Int64>) -> [Announcement] {
        ids.compactMap { id in
            batches[id].map { Announcement(id: id, size: $0.installations.count, lane: $0.lane) }
        }
    }

    /// `ScheduleStore.ownedBatches`.
    func ownedBatches(_ worker: Int64) -> [Int64] { batches.filter { $0.value.worker == worker }.keys.sorted() }

    /// `ScheduleStore.ownedPlans`.
    func ownedPlans(_ worker: Int64) -> [Int64] {
        plans.filter { $0.value.worker == worker }.keys.map(\.rawValue).sorted()
    }

    /// `ScheduleStore.giveBack`.
    mutating func giveBack(_ ids: [Int64], worker: Int64) -> [Announcement] {
        let owned = ids.filter { batches[$0]?.worker == worker }
        for id in owned { release(id) }
        return announcements(owned)
    }

    /// `ScheduleStore.giveBackPlans`.
    mutating func giveBackPlans(_ ids: [Int64], worker: Int64) {
        for id in ids.map({ NotificationID(rawValue: $0) }) where plans[id]?.worker == worker { release(planned: id) }
    }
}

extension FakeDatabase {
    /// `WorkerStore.register`.
    mutating func register() -> Int64 {
        defer { nextWorker += 1 }
        workers[nextWorker] = now + WorkerStore.lease
        return nextWorker
    }

    /// `WorkerStore.renew`; a worker that was forgotten enters again.
    mutating func renew(_ worker: Int64) -> Timestamp {
        workers[worker] = now + WorkerStore.lease
        return now
    }

    /// `WorkerStore.leave`.
    mutating func leave(_ worker: Int64) {
        for id in ownedBatches(worker) {
            release(id)
            guard let createdAt = batches[id]?.createdAt else { continue }
            batches[id]?.createdAt = createdAt - .seconds(60)
        }
        for id in ownedPlans(worker) { release(planned: NotificationID(rawValue: id)) }
        workers[worker] = nil
    }

    /// `StatusStore.cancel`; answers whether it changed anything.
    mutating func cancel(_ job: UUIDValue) -> Bool {
        let identity = WaveIdentity(job: job, hub: hub.id)
        guard let id = identities[identity], notifications[id]?.cancelledAt == nil, !isFinished(id) else {
            return false
        }
        end(id)
        return true
    }

    /// What was not begun leaves the schedule at once.
    private mutating func end(_ id: NotificationID) {
        if let plan = plans[id], plan.worker == nil, plan.cursor == 0 { plans[id] = nil }
        notifications[id]?.cancelledAt = now
    }

    /// `HubJobStore.cancel`: what was not begun leaves the schedule too; nil when there is no such job.
    mutating func withdraw(_ job: UUIDValue) -> HubJobStore.Cancellation? {
        guard let id = identities[WaveIdentity(job: job, hub: hub.id)] else { return nil }
        guard notifications[id]?.cancelledAt == nil else { return .cancelled }
        guard !isFinished(id) else { return .finished }
        end(id)
        return .cancelled
    }

    private func isFinished(_ id: NotificationID) -> Bool {
        guard plans[id] == nil, let notification = notifications[id] else { return false }
        let counts = progress[id] ?? [:]
        let finished = counts.reduce(0) { $1.key == .retrying ? $0 : $0 + $1.value }
        return finished >= notification.audience
    }
}

extension Timestamp {
    static func - (instant: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: instant.microseconds - duration.microseconds)
    }
}
