import DispatchCore

@testable import Dispatcher

/// `BatchStore` and `RecordStore`.
extension FakeDatabase {
    /// `BatchStore.claim`.
    mutating func claim(_ id: Int64, worker: Int64) -> BatchWork? {
        guard let batch = batches[id], batch.worker == nil || broken.contains(.claimFromOwner) else { return nil }
        batches[id]?.worker = worker
        if !broken.contains(.epochStandsStill) { batches[id]?.epoch += 1 }
        noteIntent(id)
        return read(id, worker: worker)
    }

    /// `BatchStore.read`.
    func read(_ id: Int64, worker: Int64) -> BatchWork? {
        guard let batch = batches[id], batch.worker == worker else { return nil }
        let targets = batch.installations.enumerated().map { position, key in
            let device = devices.first { $0.key == key && $0.retireReason == nil }
            return DeliveryTarget(
                device: device?.target,
                installation: key,
                attempt: batch.attempts?[position] ?? 1
            )
        }
        let rows = ClaimedRows(
            epoch: batch.epoch,
            lane: batch.lane,
            isAmbiguous: batch.isAmbiguous,
            sizes: batch.sizes.map { Int32($0) },
            isRetry: batch.attempts != nil,
            notifications: batch.notifications.map { stored($0) },
            targets: targets
        )
        return rows.work(id: id, hubs: [hub.id: hub])
    }

    private func stored(_ id: NotificationID) -> ClaimedRows.StoredNotification? {
        notifications[id].map { row in
            ClaimedRows.StoredNotification(
                id: row.id,
                jobID: row.jobID,
                hub: row.hub,
                expiresAt: row.expiresAt,
                isCancelled: row.cancelledAt != nil && !broken.contains(.cancelUnchecked),
                body: row.body,
                isQuarantined: false,
                isAtMostOnce: row.isAtMostOnce
            )
        }
    }

    /// `BatchStore.markPublished`.
    mutating func markPublished(_ ids: [Int64]) {
        for id in ids { batches[id]?.publishedAt = now }
    }
}

extension FakeDatabase {
    /// What a record came to; as `RecordStore.Answer`.
    enum RecordAnswer: Equatable {
        case recorded(next: BegunBatch?)
        case late
    }

    /// `RecordStore.record`.
    mutating func record(
        _ record: BatchRecord,
        of batch: BatchWork,
        remaining: BatchWork?,
        next: NextBatch?,
        isTolerant: Bool,
        worker: Int64
    ) throws(Refusal) -> RecordAnswer {
        guard let row = batches[batch.id], row.worker == worker && row.epoch == batch.epoch || isUnfenced else {
            return .late
        }
        let isCopied = !batch.isRetry && !isTolerant && record.deliveries.count > RecordStore.insertLimit
        let before = self
        do throws(Refusal) {
            shrink(batch.id, to: remaining, isRetry: batch.isRetry)
            for entry in record.progress.entries {
                progress[entry.notification, default: [:]][entry.state, default: 0] += Int(entry.delta)
            }
            for delivery in record.deliveries {
                try write(delivery, isRetry: batch.isRetry, isCopied: isCopied, at: record.recordedAt)
            }
            if !broken.contains(.retryAfterRecord) { try addRetries(record, lane: batch.lane) }
        } catch {
            self = before
            throw error
        }
        for retirement in record.retirements { retire(retirement) }
        for pause in record.devicePauses { keep(pause) }
        return .recorded(next: next.flatMap { begin($0, worker: worker) })
    }

    private var isUnfenced: Bool { broken.contains(.recordWithoutFence) }

    private mutating func shrink(_ id: Int64, to remaining: BatchWork?, isRetry: Bool) {
        guard let remaining else {
            batches[id] = nil
            return
        }
        let targets = remaining.parts.flatMap(\.targets)
        if !broken.contains(.shrinkWithoutEpoch) { batches[id]?.epoch += 1 }
        batches[id]?.notifications = remaining.parts.map(\.notification.id)
        batches[id]?.sizes = remaining.parts.map(\.targets.count)
        batches[id]?.installations = targets.map(\.installation)
        batches[id]?.attempts = isRetry ? targets.map(\.attempt) : nil
        noteIntent(id)
    }

    private mutating func write(
        _ row: BatchRecord.Row,
        isRetry: Bool,
        isCopied: Bool,
        at recordedAt: Timestamp
    ) throws(Refusal) {
        let key = DeliveryKey(notification: row.notification, installation: row.installation)
        let known = deliveries[key]
        guard isRetry == (known != nil) else {
            history.breaches.append("\(key): \(isRetry ? "a retry finds no row" : "a first attempt finds a row")")
            if isCopied { throw .duplicate("delivery \(key)") }
            return
        }
        guard known.map({ $0.state == .retrying }) ?? true else {
            history.breaches.append("\(key): \(row.state.name) comes after the final \(known?.state.name ?? "")")
            return
        }
        deliveries[key] = Delivery(
            state: row.state,
            platform: known?.platform ?? row.platform,
            attempts: row.attempts,
            isAmbiguous: row.isAmbiguous || known?.isAmbiguous == true,
            reason: row.reason,
            acceptedAt: row.state == .accepted ? recordedAt : nil,
            finishedAt: row.state.isTerminal ? recordedAt : nil
        )
    }

    /// A part of the record; apart from it only where that rule is broken.
    mutating func addRetries(_ record: BatchRecord, lane: Lane) throws(Refusal) {
        for retry in record.retries {
            let key = DeliveryKey(notification: retry.notification, installation: retry.installation)
            guard retries[key] == nil else { throw .duplicate("retry \(key)") }
            retries[key] = Retry(dueAt: retry.dueAt, attempt: retry.attempt, lane: lane)
        }
    }

    private mutating func keep(_ pause: BatchRecord.PausedDevice) {
        guard let index = devices.firstIndex(where: { $0.key == pause.installation && $0.channel == pause.channel })
        else { return }
        devices[index].pausedUntil = max(devices[index].pausedUntil ?? pause.until, pause.until)
    }

    private mutating func retire(_ retirement: BatchRecord.Retirement) {
        guard let index = devices.firstIndex(where: { $0.key == retirement.installation }) else { return }
        let device = devices[index]
        guard device.retireReason == nil, retirement.invalidSince.map({ device.registeredAt < $0 }) ?? true else {
            return
        }
        devices[index].retireReason = retirement.reason
    }

    private mutating func begin(_ next: NextBatch, worker: Int64) -> BegunBatch? {
        guard let batch = batches[next.id], batch.worker == nil, batch.epoch == next.epoch ?? batch.epoch else {
            return nil
        }
        batches[next.id]?.worker = worker
        batches[next.id]?.epoch += 1
        noteIntent(next.id)
        let cancelled = batch.notifications.filter { notifications[$0]?.cancelledAt != nil }
        return BegunBatch(cancelled: broken.contains(.cancelUnchecked) ? [] : Set(cancelled))
    }
}
