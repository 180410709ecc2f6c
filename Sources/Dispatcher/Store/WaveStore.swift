import AMQP
import DispatchCore
import Postgres

/// Reads and writes of the planning stage: one round trip to resolve a wave, one to commit its plan.
struct WaveStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// Resolves every audience of the wave, finds jobs that are already known and reserves ids.
    func resolve(_ jobs: [WaveJob]) async throws -> ResolvedWave {
        var lookup = AudienceLookup()
        for (ordinal, job) in jobs.enumerated() where !job.isStopped {
            lookup.add(job.job, ordinal: Int32(ordinal), hub: job.hub.id)
        }
        let lookups = lookup.statements
        let registration = lookup.registration.map { [$0] } ?? []
        let statements = registration + lookups + [Self.known(jobs), Self.reservation(jobs.count)]
        return try await pool.withSession { session throws(PostgresError) in
            let results = try session.pipeline(statements)
            var wave = ResolvedWave(targets: Array(repeating: [], count: jobs.count))
            for index in registration.count..<(statements.count - 2) {
                try wave.addTargets(results[index])
            }
            try wave.addExisting(results[statements.count - 2])
            try wave.addIDs(results[statements.count - 1])
            return wave
        }
    }

    private static func known(_ jobs: [WaveJob]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT n.job_id, n.hub_id, CASE WHEN n.erased_at IS NULL THEN n.body END
            FROM unnest($1::uuid[], $2::int4[]) AS k(job, hub)
            JOIN dispatcher.notification n ON n.job_id = k.job AND n.hub_id = k.hub
            """,
            [.uuids(jobs.map { ($0.job.id.high, $0.job.id.low) }), .int4s(jobs.map { $0.hub.id })]
        )
    }

    private static func reservation(_ count: Int) -> PostgresStatement {
        PostgresStatement("SELECT dispatcher.reserve_notification_ids($1)", [.int4(Int32(count))])
    }

    /// From this many jobs on COPY is cheaper, though it takes three round trips more.
    private static let copyThreshold = 64

    /// Commits the plan, all of it or nothing; answers the ids of its batches.
    func commit(_ draft: WaveDraft, lane: Lane) async throws -> [Int64] {
        let plans = draft.accepted.filter(\.isPlanned)
        let batches = draft.batches.enumerated().map { batch(draft.accepted[$1], lane: lane, isBegun: $0 == 0) }
        let inbox = Self.inbox(draft.accepted).map { [$0] } ?? []
        let contents = try ContentRows(draft.accepted).statements
        let planned = plans.isEmpty ? [] : [self.plans(plans)]
        let work = contents + planned + inbox + Self.erasures(draft.accepted) + batches
        let accepted = draft.accepted
        return try await pool.withSession { session throws(PostgresError) in
            guard accepted.count >= Self.copyThreshold else {
                let results = try session.pipeline([Self.notifications(accepted, lane: lane)] + work)
                return try Self.ids(results.suffix(batches.count))
            }
            try session.execute("BEGIN")
            try Self.copy(accepted, lane: lane, into: session)
            let results = try session.pipeline(work + [PostgresStatement("COMMIT")])
            return try Self.ids(results.dropLast().suffix(batches.count))
        }
    }

    private static func ids(_ results: ArraySlice<PostgresRows>) throws(PostgresError) -> [Int64] {
        var ids: [Int64] = []
        for result in results { ids.append(try result.int8(0, 0)) }
        return ids
    }

    private static func copy(
        _ accepted: [WaveDraft.Accepted],
        lane: Lane,
        into session: borrowing PostgresSession
    ) throws(PostgresError) {
        _ = try session.copyIn("dispatcher.notification", columns: columns) { writer throws(PostgresError) in
            for item in accepted {
                let job = item.wave.job
                writer.row(columns: columns.count)
                writer.int8(item.id.rawValue)
                writer.timestamptz(item.expiresAt.microseconds)
                writer.uuid(high: job.id.high, low: job.id.low)
                writer.int4(item.wave.hub.id)
                writer.int4(Int32(item.targets.count))
                writer.int2(lane.rawValue)
                writer.bool(job.options.guarantee == .atMostOnce)
                writer.text(item.target)
                writer.bytea(item.body)
            }
        }
    }

    private static let columns = [
        "id", "expires_at", "job_id", "hub_id", "audience", "lane", "at_most_once", "target", "body",
    ]

    private static func notifications(_ accepted: [WaveDraft.Accepted], lane: Lane) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.notification
                (\(columns.joined(separator: ", ")))
            SELECT id, expires_at, job_id, hub_id, audience, $9, at_most_once, target, body
            FROM unnest($1::int8[], $2::timestamptz[], $3::uuid[], $4::int4[], $5::int4[], $6::bool[], $7::text[],
                        $8::bytea[]) AS n(id, expires_at, job_id, hub_id, audience, at_most_once, target, body)
            """,
            [
                .int8s(accepted.map { $0.id.rawValue }),
                .timestamptzs(accepted.map { $0.expiresAt.microseconds }),
                .uuids(accepted.map { ($0.wave.job.id.high, $0.wave.job.id.low) }),
                .int4s(accepted.map { $0.wave.hub.id }),
                .int4s(accepted.map { Int32($0.targets.count) }),
                .bools(accepted.map { $0.wave.job.options.guarantee == .atMostOnce }),
                .texts(accepted.map(\.target)),
                .byteas(accepted.map(\.body)),
                .int2(lane.rawValue),
            ]
        )
    }

    /// Marks the notifications from which somebody was erased; those of which nothing is left have ended.
    private static func erasures(_ accepted: [WaveDraft.Accepted]) -> [PostgresStatement] {
        let erased = accepted.filter { $0.isEmptied || $0.wave.isRedacted }
        guard !erased.isEmpty else { return [] }
        return [
            PostgresStatement(
                """
                UPDATE dispatcher.notification n
                SET erased_at = clock_timestamp(), cancelled_at = CASE WHEN e.stopped THEN clock_timestamp() END
                FROM unnest($1::int8[], $2::bool[]) AS e(id, stopped)
                WHERE n.id = e.id
                """,
                [.int8s(erased.map(\.id.rawValue)), .bools(erased.map(\.wave.isStopped))]
            ),
            PostgresStatement(
                """
                DELETE FROM dispatcher.content c USING dispatcher.notification n
                WHERE n.id = ANY ($1) AND c.job_id = n.job_id AND c.hub_id = n.hub_id
                """,
                [.int8s(erased.filter(\.isEmptied).map(\.id.rawValue))]
            ),
        ]
    }

    private func plans(_ planned: [WaveDraft.Accepted]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.plan (notification_id, due_at, worker_id, epoch, local_at)
            SELECT id, coalesce(send_at, now()), worker, 1, local_at AT TIME ZONE 'UTC'
            FROM unnest($1::int8[], $2::timestamptz[], $3::int8[], $4::timestamptz[]) AS p(id, send_at, worker, local_at)
            """,
            [
                .int8s(planned.map(\.id.rawValue)),
                .timestamptzsOrNull(planned.map { $0.wave.job.isByDevice ? nil : $0.sendAt?.microseconds }),
                .int8sOrNull(planned.map { $0.isDue ? worker : nil }),
                .timestamptzsOrNull(planned.map { $0.wave.job.localTime?.microseconds }),
            ]
        )
    }

    private func batch(_ accepted: ArraySlice<WaveDraft.Accepted>, lane: Lane, isBegun: Bool) -> PostgresStatement {
        let sent = accepted.filter { !$0.targets.isEmpty }
        return PostgresStatement(
            """
            INSERT INTO dispatcher.batch (worker_id, epoch, lane, notification_ids, audience_sizes, installation_ids)
            VALUES ($1, 1, $2, $3, $4, $5)
            RETURNING id
            """,
            [
                isBegun ? .int8(worker) : .int8OrNull(nil),
                .int2(lane.rawValue),
                .int8s(sent.map(\.id.rawValue)),
                .int4s(sent.map { Int32($0.targets.count) }),
                .int8s(sent.flatMap { $0.targets.map(\.installation.rawValue) }),
            ]
        )
    }
}
