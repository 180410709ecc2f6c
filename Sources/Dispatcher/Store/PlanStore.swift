import DispatchCore
import Postgres

/// Cuts large audiences into batches, page by page, inside the database: no id of the audience travels.
struct PlanStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// Batches per statement: 100 of them keep a page near a quarter of a second and show progress.
    static let batchesPerPage = 100

    /// One batch made by a page.
    struct PlannedBatch: Sendable {
        let id: Int64
        let size: Int
    }

    /// Writes the next page of batches; empty when the audience is done, or when the plan is no longer ours.
    func writePage(of plan: PlanWork) async throws -> [PlannedBatch] {
        let statement = pageStatement(plan)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var batches: [PlannedBatch] = []
            for row in 0..<rows.count {
                batches.append(PlannedBatch(id: try rows.int8(row, 0), size: Int(try rows.int4(row, 1))))
            }
            return batches
        }
    }

    private func pageStatement(_ plan: PlanWork) -> PostgresStatement {
        let batchLimit = LaneProfile.of(plan.lane).batchLimit
        let filter = plan.audience.filter(firstParameter: 10)
        return PostgresStatement(
            """
            WITH owned AS (
                -- 1. Only the worker that holds the plan goes on, and a cancelled notification ends here.
                SELECT p.cursor, n.expires_at > now() AS is_alive, p.local_at, p.step_until
                FROM dispatcher.plan p
                JOIN dispatcher.notification n ON n.id = p.notification_id
                WHERE p.notification_id = $1 AND p.worker_id = $2 AND p.epoch = $3 AND n.cancelled_at IS NULL
                FOR UPDATE OF p
            )\(plan.isByDevice ? Self.clocks : ""),
            page AS MATERIALIZED (
                -- 2. The next devices in key order, as one array.
                SELECT array_agg(i.id) AS ids\(plan.inbox == nil ? "" : Self.pageUsers)
                FROM (
                    SELECT i.id\(plan.inbox == nil ? "" : ", i.user_id")
                    FROM dispatcher.installation i
                    WHERE i.id > (SELECT cursor FROM owned\(plan.isByDevice ? Self.inStep : "")) AND i.hub_id = $5 AND ($6::int4 >> i.platform) & 1 = 1
                      AND \(AudienceLookup.isReachable) AND \(filter.text)\(plan.isByDevice ? Self.isDue : "")
                    ORDER BY i.id
                    LIMIT $7
                ) i
            ),
            cut AS (
                -- 3. One batch for each slice of it.
                INSERT INTO dispatcher.batch (lane, notification_ids, audience_sizes, installation_ids)
                SELECT $4, ARRAY[$1::int8], ARRAY[cardinality(slice)], slice
                FROM page
                CROSS JOIN LATERAL generate_series(0, (cardinality(ids) - 1) / $8::int4) AS piece
                CROSS JOIN LATERAL (SELECT ids[piece * $8::int4 + 1 : (piece + 1) * $8::int4] AS slice) AS s
                RETURNING id, cardinality(installation_ids) AS size
            ),
            counted AS (
                UPDATE dispatcher.notification SET audience = audience + (SELECT cardinality(ids) FROM page)
                WHERE id = $1 AND EXISTS (SELECT FROM page WHERE ids IS NOT NULL)
            ),
            moved AS (
                UPDATE dispatcher.plan
                SET cursor = (SELECT ids[cardinality(ids)] FROM page)\(plan.isByDevice ? Self.beginning : "")
                WHERE notification_id = $1 AND EXISTS (SELECT FROM page WHERE ids IS NOT NULL)
            )\(plan.inbox == nil ? "" : Self.kept)\(plan.isByDevice ? Self.begun : "")
            SELECT id, size FROM cut
            """,
            [
                .int8(plan.notification.rawValue), .int8(worker), .int4(plan.epoch), .int2(plan.lane.rawValue),
                .int4(plan.hub), .int4(plan.platformMask), .int8(Int64(batchLimit * Self.batchesPerPage)),
                .int4(Int32(batchLimit)), .textOrNull(plan.inbox?.thread),
            ] + filter.parameters,
            prepared: false
        )
    }

    private static let pageUsers = ", array_agg(i.user_id) AS users"

    /// One row for each user: of a user whose devices are in several pages, or whose planner was killed, the first stays.
    ///
    /// What nobody is told any more is not kept either.
    private static let kept = """
        ,
        kept AS (
            INSERT INTO dispatcher.inbox (hub_id, user_id, notification_id, thread)
            SELECT DISTINCT $5::int4, u.user_id, $1::int8, $9::text
            FROM page
            CROSS JOIN LATERAL unnest(page.users) AS u(user_id)
            WHERE u.user_id IS NOT NULL AND (SELECT is_alive FROM owned)
            ORDER BY 1, 2
            ON CONFLICT DO NOTHING
        )
        """

    /// Ends a plan whose pages are all written.
    func finish(_ plan: PlanWork) async throws {
        let statement = PostgresStatement(
            "DELETE FROM dispatcher.plan WHERE notification_id = $1 AND worker_id = $2 AND epoch = $3",
            [.int8(plan.notification.rawValue), .int8(worker), .int4(plan.epoch)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Ends a plan whose stored job cannot be read: the notification is cancelled, and the job becomes a dead letter.
    ///
    /// The queue of the row is `stored`: no message of the broker stands behind it.
    func abandon(_ row: PlanRow, error: JobError) async throws {
        let statement = PostgresStatement(
            """
            WITH gone AS (
                DELETE FROM dispatcher.plan WHERE notification_id = $1 AND worker_id = $2 AND epoch = $3
                RETURNING notification_id
            ),
            cancelled AS (
                UPDATE dispatcher.notification SET cancelled_at = coalesce(cancelled_at, clock_timestamp())
                WHERE id IN (SELECT notification_id FROM gone)
                RETURNING job_id, body
            )
            INSERT INTO dispatcher.dead_letter
                (fingerprint, queue, message_id, reason, path, byte_offset, detail, byte_count, body)
            SELECT sha256(uuid_send(job_id) || body), 'stored', job_id::text, $4, $5, $6, $7, octet_length(body), body
            FROM cancelled
            ON CONFLICT (fingerprint) DO UPDATE SET times_seen = dead_letter.times_seen + 1
            """,
            [
                .int8(row.notification.rawValue), .int8(worker), .int4(row.epoch), .text("unreadableJob"),
                .text(error.path), .int4OrNull(error.offset.map { Int32(clamping: $0) }), .text(error.description),
            ]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Takes over one plan that is due and that nobody holds.
    func claimDue() async throws -> PlanRow? {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.plan p
            SET worker_id = $1, epoch = p.epoch + 1
            FROM dispatcher.notification n
            WHERE n.id = p.notification_id AND p.notification_id = (
                SELECT due.notification_id
                FROM dispatcher.plan due
                JOIN dispatcher.notification found ON found.id = due.notification_id
                WHERE due.due_at <= now() AND due.worker_id IS NULL
                ORDER BY due.due_at
                LIMIT 1
                FOR UPDATE OF due SKIP LOCKED)
            RETURNING n.id, n.hub_id, n.lane, p.epoch, n.body, n.job_id,
                      (SELECT h.keeps_inbox FROM dispatcher.hub h WHERE h.id = n.hub_id)
            """,
            [.int8(worker)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            return rows.count == 0 ? nil : try PlanRow(rows)
        }
    }
}

/// A claimed plan as stored; the audience is in the job's body.
struct PlanRow: Sendable {
    let notification: NotificationID
    let hub: Int32
    let lane: Lane
    let epoch: Int32
    let body: [UInt8]
    let jobID: UUIDValue
    let hubKeepsInbox: Bool

    init(_ rows: PostgresRows) throws(PostgresError) {
        notification = NotificationID(rawValue: try rows.int8(0, 0))
        hub = try rows.int4(0, 1)
        lane = Lane(rawValue: try rows.int2(0, 2)) ?? .normal
        epoch = try rows.int4(0, 3)
        body = try rows.bytes(0, 4)
        let job = try rows.uuid(0, 5)
        jobID = UUIDValue(high: job.high, low: job.low)
        hubKeepsInbox = try rows.bool(0, 6)
    }
}

extension Audience {
    /// The audience as a condition on `i` with bound parameters, numbered from `firstParameter`.
    func filter(firstParameter: Int) -> (text: String, parameters: [PostgresParameter]) {
        let placeholder = "$\(firstParameter)"
        switch self {
        case .broadcast:
            return ("NOT i.is_direct", [])
        case .users(let ids):
            return ("NOT i.is_direct AND i.user_id = ANY (\(placeholder)::text[])", [.texts(ids)])
        case .installations(let ids):
            return ("i.installation_id = ANY (\(placeholder)::text[])", [.texts(ids)])
        case .channels(let direct):
            return ("i.installation_id = ANY (\(placeholder)::text[])", [.texts(direct.map(\.installationID))])
        case .tags(let expression):
            let condition = expression.sql(alias: "i", firstParameter: firstParameter)
            return ("NOT i.is_direct AND (\(condition.text))", condition.parameters.map(\.postgresParameter))
        }
    }
}
