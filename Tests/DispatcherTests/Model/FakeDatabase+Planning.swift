import DispatchCore

@testable import Dispatcher

/// `WaveStore` and `PlanStore`.
extension FakeDatabase {
    /// `WaveStore.resolve`.
    mutating func resolve(_ jobs: [WaveJob]) -> ResolvedWave {
        var wave = ResolvedWave(targets: jobs.map { $0.isStopped ? [] : smallAudience(of: $0.job) })
        for job in jobs {
            let identity = WaveIdentity(job: job.job.id, hub: job.hub.id)
            guard let known = identities[identity], !broken.contains(.noIdentity) else { continue }
            wave.existing.updateValue(notifications[known]?.body, forKey: identity)
        }
        let day = now.seconds / 86_400
        let first = day << 36 | nextRun << 10
        nextRun += 1
        wave.ids = jobs.indices.map { NotificationID(rawValue: first + Int64($0)) }
        return wave
    }

    /// One address answers at most one device more than a small audience has.
    private func smallAudience(of job: SendJob) -> [DeliveryTarget] {
        let addresses: [Audience]
        switch job.audience {
        case .users(let ids): addresses = ids.map { .users([$0]) }
        case .installations(let ids): addresses = ids.map { .installations([$0]) }
        case .broadcast, .channels, .tags: addresses = []
        }
        return addresses.flatMap { address in
            reachable(address, job.platformMask).prefix(LaneProfile.smallAudience + 1)
                .map { DeliveryTarget(device: $0.target, installation: $0.key, attempt: 1) }
        }
    }

    private func reachable(_ audience: Audience, _ platforms: Int32) -> some Sequence<Device> {
        devices.lazy.filter { device in
            guard device.retireReason == nil, platforms >> Int32(device.platform.rawValue) & 1 == 1 else {
                return false
            }
            return switch audience {
            case .broadcast: true
            case .users(let ids): device.user.map(ids.contains) ?? false
            case .installations(let ids): ids.contains(device.installationID)
            case .channels, .tags: false
            }
        }
    }

    /// `WaveStore.commit`.
    mutating func commit(_ draft: WaveDraft, lane: Lane, worker: Int64) throws(Refusal) -> [Int64] {
        for item in draft.accepted where !broken.contains(.noIdentity) {
            guard identities[item.identity] == nil else { throw Refusal.duplicate("job \(item.wave.job.id)") }
        }
        for item in draft.accepted { insert(item, lane: lane, worker: worker) }
        return draft.batches.enumerated().map { index, range in
            let sent = draft.accepted[range].filter { !$0.targets.isEmpty }
            let batch = Batch(
                createdAt: now,
                worker: index == 0 ? worker : nil,
                epoch: 1,
                lane: lane,
                notifications: sent.map(\.id),
                sizes: sent.map(\.targets.count),
                installations: sent.flatMap { $0.targets.map(\.installation) }
            )
            let id = insert(batch)
            if index == 0 { noteIntent(id) }
            return id
        }
    }

    private mutating func insert(_ item: WaveDraft.Accepted, lane: Lane, worker: Int64) {
        let job = item.wave.job
        identities[item.identity] = item.id
        notifications[item.id] = Notification(
            id: item.id,
            jobID: job.id,
            hub: item.wave.hub.id,
            lane: lane,
            expiresAt: item.expiresAt,
            isAtMostOnce: job.options.guarantee == .atMostOnce,
            body: item.body,
            audience: item.targets.count
        )
        guard item.isPlanned else { return }
        plans[item.id] = Plan(dueAt: job.options.sendAt ?? now, worker: item.isDue ? worker : nil, epoch: 1)
    }

    mutating func insert(_ batch: Batch) -> Int64 {
        defer { nextBatch += 1 }
        batches[nextBatch] = batch
        return nextBatch
    }

    /// Remembers what was cancelled when the batch was begun.
    mutating func noteIntent(_ id: Int64) {
        guard let batch = batches[id] else { return }
        let cancelled = batch.notifications.filter { notifications[$0]?.cancelledAt != nil }
        history.begun.append(History.Intent(batch: id, epoch: batch.epoch))
        history.intents[History.Intent(batch: id, epoch: batch.epoch)] = Set(cancelled)
    }
}

extension FakeDatabase {
    /// `PlanStore.writePage`, with the limits of its statement.
    mutating func writePage(
        of plan: PlanWork,
        worker: Int64,
        batchLimit: Int,
        pageLimit: Int
    ) -> [PlanStore.PlannedBatch] {
        guard let row = plans[plan.notification], row.worker == worker, row.epoch == plan.epoch,
            notifications[plan.notification]?.cancelledAt == nil
        else { return [] }
        let page = reachable(plan.audience, plan.platformMask).filter { $0.key.rawValue > row.cursor }
            .prefix(pageLimit).map(\.key)
        guard let last = page.last else { return [] }
        notifications[plan.notification]?.audience += page.count
        plans[plan.notification]?.cursor = last.rawValue
        return stride(from: 0, to: page.count, by: batchLimit).map { start in
            let slice = Array(page[start..<min(start + batchLimit, page.count)])
            let batch = Batch(
                createdAt: now,
                epoch: 0,
                lane: plan.lane,
                notifications: [plan.notification],
                sizes: [slice.count],
                installations: slice
            )
            return PlanStore.PlannedBatch(id: insert(batch), size: slice.count)
        }
    }

    /// `PlanStore.finish`.
    mutating func finish(_ plan: PlanWork, worker: Int64) {
        guard let row = plans[plan.notification], row.worker == worker, row.epoch == plan.epoch else { return }
        plans[plan.notification] = nil
    }

    /// `PlanStore.claimDue`; `nil` when nothing is due.
    mutating func claimDuePlan(worker: Int64) -> PlanWork? {
        let due = plans.filter { $0.value.worker == nil && $0.value.dueAt <= now }
            .min { ($0.value.dueAt, $0.key.rawValue) < ($1.value.dueAt, $1.key.rawValue) }
        guard let id = due?.key, let notification = notifications[id] else { return nil }
        plans[id]?.worker = worker
        plans[id]?.epoch += 1
        if broken.contains(.cursorForgotten) { plans[id]?.cursor = 0 }
        guard let epoch = plans[id]?.epoch,
            let job = try? SendJob(decoding: notification.body, messageID: notification.jobID.description)
        else { return nil }
        return PlanWork(
            notification: id,
            hub: notification.hub,
            lane: notification.lane,
            audience: job.audience,
            platformMask: job.platformMask,
            inbox: nil,
            isByDevice: false,
            epoch: epoch
        )
    }
}

extension WaveDraft.Accepted {
    var identity: WaveIdentity { WaveIdentity(job: wave.job.id, hub: wave.hub.id) }
}
