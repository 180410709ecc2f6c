import DispatchCore

@testable import Dispatcher

/// All that the protocol keeps, line by line; batches by what is in them, because their numbers differ.
enum ConformanceState {
    static func lines(of data: FakeDatabase) -> [String] {
        var lines: [String] = []
        for row in data.notifications.values {
            lines.append("n \(row.id.rawValue) \(row.audience) \(row.cancelledAt != nil) \(row.expiresAt.microseconds)")
        }
        for (id, plan) in data.plans {
            let owner = plan.worker.map { "\($0)" } ?? "-"
            lines.append("p \(id.rawValue) \(plan.dueAt.microseconds) \(plan.cursor) \(owner) \(plan.epoch)")
        }
        for batch in data.batches.values { lines.append(line(of: batch)) }
        for (key, row) in data.deliveries {
            let times = [row.acceptedAt, row.finishedAt].map(text).joined(separator: " ")
            lines.append(
                "d \(key.notification.rawValue) \(key.installation.rawValue) \(row.state.rawValue) \(row.attempts) "
                    + "\(row.isAmbiguous) \(row.reason ?? "-") \(times)"
            )
        }
        for (id, counts) in data.progress {
            for (state, count) in counts where count != 0 {
                lines.append("c \(id.rawValue) \(state.rawValue) \(count)")
            }
        }
        for (key, row) in data.retries {
            lines.append(
                "r \(key.notification.rawValue) \(key.installation.rawValue) \(row.dueAt.microseconds) \(row.attempt) "
                    + "\(row.lane.rawValue)"
            )
        }
        for (id, lease) in data.workers { lines.append("w \(id) \(lease.microseconds)") }
        for device in data.devices {
            guard let reason = device.retireReason else { continue }
            lines.append("i \(device.key.rawValue) \(reason)")
        }
        for device in data.devices {
            guard let until = device.pausedUntil else { continue }
            lines.append("u \(device.key.rawValue) \(until.microseconds)")
        }
        return lines.sorted()
    }

    private static func line(of batch: FakeDatabase.Batch) -> String {
        let owner = batch.worker.map { "\($0)" } ?? "-"
        let lists = [
            batch.notifications.map(\.rawValue), batch.sizes.map { Int64($0) }, batch.installations.map(\.rawValue),
            batch.attempts?.map { Int64($0) } ?? [],
        ]
        return "b \(text(batch.createdAt)) \(text(batch.publishedAt)) \(owner) \(batch.epoch) \(batch.lane.rawValue) "
            + "\(batch.isAmbiguous) "
            + lists.map { "{" + $0.map { "\($0)" }.joined(separator: ",") + "}" }.joined(separator: " ")
    }

    private static func text(_ instant: Timestamp?) -> String { instant.map { "\($0.microseconds)" } ?? "-" }

    static func lines(of database: TestDatabase) async throws -> [String] {
        try await database.texts(query).map { $0[0] }.sorted()
    }

    private static func microseconds(_ column: String) -> String {
        "coalesce((extract(epoch FROM \(column)) * 1000000)::int8::text, '-')"
    }

    private static func word(_ condition: String) -> String { "CASE WHEN \(condition) THEN 'true' ELSE 'false' END" }

    private static let query = """
        SELECT concat_ws(' ', 'n', id, audience, \(word("cancelled_at IS NOT NULL")), \(microseconds("expires_at")))
        FROM dispatcher.notification
        UNION ALL
        SELECT concat_ws(' ', 'p', notification_id, \(microseconds("due_at")), cursor, coalesce(worker_id::text, '-'), epoch)
        FROM dispatcher.plan
        UNION ALL
        SELECT concat_ws(' ', 'b', \(microseconds("created_at")), \(microseconds("published_at")),
                         coalesce(worker_id::text, '-'), epoch, lane, \(word("is_ambiguous")), notification_ids,
                         audience_sizes, installation_ids, coalesce(attempts, '{}'))
        FROM dispatcher.batch
        UNION ALL
        SELECT concat_ws(' ', 'd', notification_id, installation_id, state, attempts, \(word("is_ambiguous")),
                         coalesce(reason, '-'), \(microseconds("accepted_at")), \(microseconds("finished_at")))
        FROM dispatcher.delivery
        UNION ALL
        SELECT concat_ws(' ', 'c', notification_id, state, sum(delta))
        FROM dispatcher.progress GROUP BY notification_id, state HAVING sum(delta) <> 0
        UNION ALL
        SELECT concat_ws(' ', 'r', notification_id, installation_id, \(microseconds("due_at")), attempt, lane)
        FROM dispatcher.retry
        UNION ALL
        SELECT concat_ws(' ', 'w', id, \(microseconds("lease_until"))) FROM dispatcher.worker
        UNION ALL
        SELECT concat_ws(' ', 'i', id, retire_reason) FROM dispatcher.installation WHERE retired_at IS NOT NULL
        UNION ALL
        SELECT concat_ws(' ', 'u', id, \(microseconds("paused_until"))) FROM dispatcher.installation WHERE paused_until IS NOT NULL
        """
}
