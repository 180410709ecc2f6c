import DispatchCore
import Postgres

/// A claimed batch as stored, copied out of the session.
struct ClaimedRows: Sendable {
    let epoch: Int32
    let lane: Lane
    let isAmbiguous: Bool
    let sizes: [Int32]
    let isRetry: Bool
    /// Nil where a notification was removed meanwhile; its deliveries have nothing left to belong to.
    let notifications: [StoredNotification?]
    let targets: [DeliveryTarget]

    struct StoredNotification: Sendable {
        let id: NotificationID
        let jobID: UUIDValue
        let hub: Int32
        let expiresAt: Timestamp
        let isCancelled: Bool
        let body: [UInt8]

        /// It crashes workers, so nothing of its body is looked at any more.
        let isQuarantined: Bool
        let isAtMostOnce: Bool
    }

    /// Puts the runs of targets under their notifications.
    func work(id: Int64, hubs: [Int32: Hub]) -> BatchWork {
        var parts: [BatchWork.Part] = []
        var start = 0
        for (stored, size) in zip(notifications, sizes) {
            let end = start + Int(size)
            defer { start = end }
            guard let notification = stored?.work(hubs: hubs) else { continue }
            parts.append(BatchWork.Part(notification: notification, targets: Array(targets[start..<end])))
        }
        return BatchWork(
            id: id,
            epoch: epoch,
            lane: lane,
            isAmbiguous: isAmbiguous,
            isRetry: isRetry,
            parts: parts
        )
    }
}

extension ClaimedRows {
    init(batch: PostgresRows, notifications: PostgresRows, devices: PostgresRows) throws(PostgresError) {
        epoch = try batch.int4(0, 0)
        lane = Lane(rawValue: try batch.int2(0, 1)) ?? .normal
        isAmbiguous = try batch.bool(0, 2)
        sizes = try batch.int4Array(0, 3)
        isRetry = try !batch.isNull(0, 5)
        var stored: [StoredNotification?] = []
        for row in 0..<notifications.count {
            stored.append(try notifications.isNull(row, 0) ? nil : StoredNotification(notifications, row))
        }
        self.notifications = stored
        targets = try Self.targets(batch, attempts: isRetry ? try batch.int2Array(0, 5) : [], devices: devices)
    }

    private static func targets(
        _ batch: PostgresRows,
        attempts: [Int16],
        devices: PostgresRows
    ) throws(PostgresError) -> [DeliveryTarget] {
        var index = try DeviceIndex(devices)
        let ids = try batch.int8Array(0, 4)
        return ids.indices.map { position in
            DeliveryTarget(
                device: index.device(ids[position]),
                installation: InstallationKey(rawValue: ids[position]),
                attempt: attempts.isEmpty ? 1 : Int(attempts[position])
            )
        }
    }
}

extension ClaimedRows.StoredNotification {
    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        id = NotificationID(rawValue: try rows.int8(row, 0))
        let job = try rows.uuid(row, 1)
        jobID = UUIDValue(high: job.high, low: job.low)
        hub = try rows.int4(row, 2)
        expiresAt = Timestamp(microseconds: try rows.timestamp(row, 3))
        isCancelled = try rows.bool(row, 4)
        body = try rows.bytes(row, 5)
        isQuarantined = try rows.bool(row, 6)
        isAtMostOnce = try rows.bool(row, 7)
    }

    func work(hubs: [Int32: Hub]) -> NotificationWork {
        let hub = hubs[hub] ?? Hub(id: hub, name: "", apnsTopic: nil)
        guard !isQuarantined else { return work(standingIn: hub, isQuarantined: true) }
        do throws(JobError) {
            let job = try SendJob(decoding: body, messageID: jobID.description)
            return NotificationWork(id: id, hub: hub, job: job, expiresAt: expiresAt, isCancelled: isCancelled)
        } catch {
            return work(standingIn: hub, unreadable: error)
        }
    }

    /// What stands in the place of a job that is not, or cannot be, read.
    private func work(standingIn hub: Hub, unreadable: JobError? = nil, isQuarantined: Bool = false) -> NotificationWork
    {
        let options = SendOptions(guarantee: isAtMostOnce ? .atMostOnce : .atLeastOnce)
        return NotificationWork(
            id: id,
            hub: hub,
            job: SendJob(id: jobID, hub: hub.name, audience: .broadcast, content: .native([:]), options: options),
            expiresAt: expiresAt,
            isCancelled: isCancelled,
            unreadable: unreadable,
            isQuarantined: isQuarantined
        )
    }
}
