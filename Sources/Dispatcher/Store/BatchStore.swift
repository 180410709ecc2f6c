import DispatchCore
import Postgres

/// Takes batches: the claim is the intent, committed before the first gateway call.
struct BatchStore: Sendable {
    let pool: PostgresPool
    let worker: Int64
    let hubs: HubDirectory

    /// Claims a queued batch and reads all it takes to send it; nil when another worker has it or it is done.
    func claim(_ id: Int64) async throws -> BatchWork? {
        let rows = try await pool.withSession { session throws(PostgresError) -> ClaimedRows? in
            // One transaction: the claim is committed with the reads that follow it.
            let results = try session.pipeline([claimStatement(id), notificationsStatement(id), devicesStatement(id)])
            guard results[0].count == 1 else { return nil }
            return try ClaimedRows(batch: results[0], notifications: results[1], devices: results[2])
        }
        guard let rows else { return nil }
        let known = try await hubs.hubs(ids: Set(rows.notifications.map(\.hub)))
        return try rows.work(id: id, hubs: known)
    }

    private func claimStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.batch SET worker_id = $2, epoch = epoch + 1
            WHERE id = $1 AND worker_id IS NULL
            RETURNING epoch, lane, is_ambiguous, audience_sizes, attempts
            """,
            [.int8(id), .int8(worker)]
        )
    }

    private func notificationsStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT n.id, n.job_id, n.hub_id, n.expires_at, n.cancelled_at IS NOT NULL, n.body
            FROM dispatcher.batch b
            CROSS JOIN LATERAL unnest(b.notification_ids) WITH ORDINALITY AS p(id, position)
            JOIN dispatcher.notification n ON n.id = p.id
            WHERE b.id = $1 AND b.worker_id = $2
            ORDER BY p.position
            """,
            [.int8(id), .int8(worker)]
        )
    }

    private func devicesStatement(_ id: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT t.id, i.installation_id, i.platform, i.push_channel, i.topic, i.permission
            FROM dispatcher.batch b
            CROSS JOIN LATERAL unnest(b.installation_ids) WITH ORDINALITY AS t(id, position)
            LEFT JOIN dispatcher.installation i ON i.id = t.id AND i.retired_at IS NULL
            WHERE b.id = $1 AND b.worker_id = $2
            ORDER BY t.position
            """,
            [.int8(id), .int8(worker)]
        )
    }

    /// Tells that the broker has these batches.
    func markPublished(_ ids: [Int64]) async throws {
        let statement = PostgresStatement(
            "UPDATE dispatcher.batch SET published_at = now() WHERE id = ANY ($1::int8[])",
            [.int8s(ids)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}

/// A claimed batch as stored, copied out of the session.
struct ClaimedRows: Sendable {
    let epoch: Int32
    let lane: Lane
    let isAmbiguous: Bool
    let sizes: [Int32]
    let isRetry: Bool
    let notifications: [StoredNotification]
    let targets: [DeliveryTarget]

    struct StoredNotification: Sendable {
        let id: NotificationID
        let jobID: UUIDValue
        let hub: Int32
        let expiresAt: Timestamp
        let isCancelled: Bool
        let body: [UInt8]
    }

    init(batch: PostgresRows, notifications: PostgresRows, devices: PostgresRows) throws(PostgresError) {
        epoch = try batch.int4(0, 0)
        lane = Lane(rawValue: try batch.int2(0, 1)) ?? .normal
        isAmbiguous = try batch.bool(0, 2)
        sizes = try batch.int4Array(0, 3)
        isRetry = try !batch.isNull(0, 4)
        let attempts = isRetry ? try batch.int2Array(0, 4) : []
        var stored: [StoredNotification] = []
        for row in 0..<notifications.count {
            stored.append(try StoredNotification(notifications, row))
        }
        var targets: [DeliveryTarget] = []
        targets.reserveCapacity(devices.count)
        for row in 0..<devices.count {
            let attempt = attempts.isEmpty ? 1 : Int(attempts[row])
            targets.append(try devices.deliveryTarget(row, from: 0, attempt: attempt))
        }
        self.notifications = stored
        self.targets = targets
    }

    /// Puts the runs of targets under their notifications.
    func work(id: Int64, hubs: [Int32: Hub]) throws -> BatchWork {
        var parts: [BatchWork.Part] = []
        var start = 0
        for (stored, size) in zip(notifications, sizes) {
            let end = start + Int(size)
            let notification = try stored.work(hubs: hubs)
            parts.append(BatchWork.Part(notification: notification, targets: Array(targets[start..<end])))
            start = end
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

extension ClaimedRows.StoredNotification {
    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        id = NotificationID(rawValue: try rows.int8(row, 0))
        let job = try rows.uuid(row, 1)
        jobID = UUIDValue(high: job.high, low: job.low)
        hub = try rows.int4(row, 2)
        expiresAt = Timestamp(microseconds: try rows.timestamp(row, 3))
        isCancelled = try rows.bool(row, 4)
        body = try rows.bytes(row, 5)
    }

    func work(hubs: [Int32: Hub]) throws -> NotificationWork {
        NotificationWork(
            id: id,
            hub: hubs[hub] ?? Hub(id: hub, name: "", apnsTopic: nil),
            job: try SendJob(decoding: body, messageID: jobID.description),
            expiresAt: expiresAt,
            isCancelled: isCancelled
        )
    }
}
