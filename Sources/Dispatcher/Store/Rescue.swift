import DispatchCore
import Postgres

/// What was taken from lost workers.
struct Rescue: Sendable {
    /// How many batches it was.
    private(set) var count = 0

    /// What anyone may send now.
    private(set) var announced: [ScheduleStore.Announcement] = []

    /// What was found out about batches that crash workers.
    private(set) var findings: [Finding] = []

    struct Finding: Sendable {
        let verdict: CrashVerdict
        let deliveries: Int

        /// The notification, the first one of a batch of several.
        let notification: NotificationID
    }

    mutating func add(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        let verdict = try rows.textOrNull(row, 3).flatMap(CrashVerdict.init)
        if let verdict {
            findings.append(
                Finding(
                    verdict: verdict,
                    deliveries: Int(try rows.int4(row, 1)),
                    notification: NotificationID(rawValue: try rows.int8(row, 4))
                )
            )
        }
        // What all that is left of a notification is told of is no batch.
        guard try !rows.isNull(row, 0) else { return }
        count += 1
        guard verdict == nil || verdict == .isolated else { return }
        let batch = PlanStore.PlannedBatch(id: try rows.int8(row, 0), size: Int(try rows.int4(row, 1)))
        announced.append(
            ScheduleStore.Announcement(batch: batch, lane: Lane(rawValue: try rows.int2(row, 2)) ?? .normal)
        )
    }
}
