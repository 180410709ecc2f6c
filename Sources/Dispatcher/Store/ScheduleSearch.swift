import DispatchCore
import Postgres

/// Asks for the jobs of a hub that wait for their time, page by page.
struct ScheduleSearch: Sendable {
    /// The last job of the page before.
    var after: SchedulePlace?
    var limit = 100

    static let greatestLimit = 500

    /// A page, and whether there is more behind it.
    func page(_ pool: PostgresPool, hub: Int32) async throws -> (jobs: [ScheduledJob], hasMore: Bool) {
        let place = after ?? SchedulePlace(dueAt: Timestamp(microseconds: 0), number: 0)
        let statement = PostgresStatement(
            """
            SELECT id, due_at, created_at, expires_at, target, lane, number, local_at AT TIME ZONE 'UTC'
            FROM dispatcher.hub_schedule
            WHERE due_at >= $1 AND (due_at, number) > ($1, $2)
            ORDER BY due_at, number
            LIMIT $3
            """,
            [
                .timestamptz(microsecondsSinceUnixEpoch: place.dueAt.microseconds), .int8(place.number),
                .int8(Int64(limit + 1)),
            ]
        )
        let found = try await pool.inHub(hub) { session in
            let rows = try session.execute(statement)
            return try (0..<rows.count).map { try ScheduledJob(rows, $0) }
        }
        return (Array(found.prefix(limit)), found.count > limit)
    }
}

/// A job that waits for its time.
struct ScheduledJob: Sendable {
    let id: UUIDValue
    let place: SchedulePlace
    let createdAt: Timestamp
    let expiresAt: Timestamp
    let target: String
    let lane: Lane

    /// What the devices' clocks show then, if each has a time of its own.
    let local: LocalSchedule?

    fileprivate init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        let job = try rows.uuid(row, 0)
        id = UUIDValue(high: job.high, low: job.low)
        let dueAt = Timestamp(microseconds: try rows.timestamp(row, 1))
        place = SchedulePlace(dueAt: dueAt, number: try rows.int8(row, 6))
        createdAt = Timestamp(microseconds: try rows.timestamp(row, 2))
        expiresAt = Timestamp(microseconds: try rows.timestamp(row, 3))
        target = try rows.text(row, 4)
        lane = Lane(rawValue: try rows.int2(row, 5)) ?? .normal
        local = try rows.timestampOrNull(row, 7).map {
            LocalSchedule(time: Timestamp(microseconds: $0), zone: .device)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, text) in [
            ("id", id.description), ("state", "scheduled"), ("sendAt", place.dueAt.rfc3339), ("target", target),
            ("lane", lane.name), ("createdAt", createdAt.rfc3339), ("expiresAt", expiresAt.rfc3339),
        ] {
            writer.key(name)
            writer.string(text)
        }
        if let local {
            for (name, text) in [("timeZone", local.zoneName), ("localTime", local.text)] {
                writer.key(name)
                writer.string(text)
            }
        }
        writer.endObject()
    }
}

/// Where in the order of the schedule a job stands.
struct SchedulePlace: Sendable, CustomStringConvertible {
    let dueAt: Timestamp
    let number: Int64

    init(dueAt: Timestamp, number: Int64) {
        self.dueAt = dueAt
        self.number = number
    }

    /// Reads what ``description`` has written.
    init?(_ text: String) {
        guard let (due, number) = PagePlace.numbers(text, separator: "-") else { return nil }
        self.init(dueAt: Timestamp(microseconds: due), number: number)
    }

    var description: String { "\(dueAt.microseconds)-\(number)" }
}
