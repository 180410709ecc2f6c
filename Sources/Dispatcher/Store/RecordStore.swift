import DispatchCore
import Postgres

/// Writes results: one transaction for a batch, fenced by its epoch.
struct RecordStore: Sendable {
    let pool: PostgresPool
    let worker: Int64

    /// The ends of deliveries that other services are told of.
    let told: EventChoice

    /// Up to this many rows go in with the other statements, in one round trip; COPY takes three but less per row.
    static let insertLimit = 64

    /// What the fence said.
    enum Answer: Sendable {
        /// Committed; `next` is there when the next batch is now ours to send.
        case recorded(next: BegunBatch?)

        /// The batch was rescued meanwhile; nothing was written, its new owner sends and records it.
        case late
    }

    /// Records the answered part of `batch`; `remaining` stays in it.
    ///
    /// `next` is begun in the same commit. With `isTolerant`, a row that is there already is kept and no error.
    func record(
        _ record: BatchRecord,
        of batch: BatchWork,
        remaining: BatchWork?,
        next: NextBatch?,
        isTolerant: Bool
    ) async throws -> Answer {
        let isCopied = !batch.isRetry && !isTolerant && record.deliveries.count > Self.insertLimit
        let transaction = RecordTransaction(
            statements: statements(record, batch: batch, remaining: remaining, isCopied: isCopied, next: next),
            copied: isCopied ? record.deliveries : [],
            recordedAt: record.recordedAt,
            beginsNext: next != nil
        )
        return try await answer(to: transaction)
    }

    private func answer(to transaction: RecordTransaction) async throws(PostgresError) -> Answer {
        do throws(PostgresError) {
            return try await pool.withSession { session throws(PostgresError) in try transaction.run(session) }
        } catch {
            guard error.sqlState == "DP001" else { throw error }
            return .late
        }
    }

    private func statements(
        _ record: BatchRecord,
        batch: BatchWork,
        remaining: BatchWork?,
        isCopied: Bool,
        next: NextBatch?
    ) -> [PostgresStatement] {
        var statements = [fence(batch, remaining: remaining), progress(record), outcomes(record)]
        if !isCopied { statements.append(batch.isRetry ? update(record) : insertion(record)) }
        if !record.retries.isEmpty { statements.append(RetryRows.statement(record.retries, lane: batch.lane)) }
        if !record.retirements.isEmpty { statements.append(retirements(record)) }
        if !record.devicePauses.isEmpty { statements.append(DevicePauseRows.statement(record.devicePauses)) }
        if let events = DeliveryEvents.statement(of: record, told: told) { statements.append(events) }
        if let next { statements.append(begin(next)) }
        return statements
    }

    private func fence(_ batch: BatchWork, remaining: BatchWork?) -> PostgresStatement {
        let owner: [PostgresParameter] = [.int8(batch.id), .int8(worker), .int4(batch.epoch)]
        guard let remaining else {
            return PostgresStatement("SELECT dispatcher.finish_batch($1, $2, $3)", owner)
        }
        let targets = remaining.parts.flatMap(\.targets)
        let sizes = remaining.parts.map { Int32($0.targets.count) }
        let attempts = targets.map { Int16($0.attempt) }
        let kept: [PostgresParameter] = [
            .int8s(remaining.parts.map(\.notification.id.rawValue)),
            .int4s(sizes),
            .int8s(targets.map(\.installation.rawValue)),
            batch.isRetry ? .int2s(attempts) : .null(.int2s),
        ]
        return PostgresStatement("SELECT dispatcher.shrink_batch($1, $2, $3, $4, $5, $6, $7)", owner + kept)
    }

    private func progress(_ record: BatchRecord) -> PostgresStatement {
        let entries = record.progress.entries
        return PostgresStatement(
            """
            INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
            SELECT id, $4, delta, state FROM unnest($1::int8[], $2::int4[], $3::int2[]) AS p(id, delta, state)
            """,
            [
                .int8s(entries.map(\.notification.rawValue)),
                .int4s(entries.map(\.delta)),
                .int2s(entries.map(\.state.rawValue)),
                .timestamptz(microsecondsSinceUnixEpoch: record.recordedAt.microseconds),
            ]
        )
    }

    private func outcomes(_ record: BatchRecord) -> PostgresStatement {
        let counts = Array(record.outcomes)
        return PostgresStatement(
            """
            INSERT INTO dispatcher.outcome_count (minute, hub_id, count, platform, state, reason)
            SELECT date_trunc('minute', $6::timestamptz), hub, count, platform, state, reason
            FROM unnest($1::int4[], $2::int4[], $3::int2[], $4::int2[], $5::text[])
                AS o(hub, count, platform, state, reason)
            """,
            [
                .int4s(counts.map(\.key.hub)),
                .int4s(counts.map(\.value)),
                .int2s(counts.map(\.key.platform)),
                .int2s(counts.map(\.key.state.rawValue)),
                .textsOrNull(counts.map(\.key.reason)),
                .timestamptz(microsecondsSinceUnixEpoch: record.recordedAt.microseconds),
            ]
        )
    }

    private func insertion(_ record: BatchRecord) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.delivery
                (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts, is_ambiguous,
                 reason)
            SELECT n, i, CASE WHEN state = 2 THEN $8 END, CASE WHEN state > 1 THEN $8 END, state, platform, attempts,
                   ambiguous, reason
            FROM unnest($1::int8[], $2::int8[], $3::int2[], $4::int2[], $5::bool[], $6::text[], $7::int2[])
                AS d(n, i, state, attempts, ambiguous, reason, platform)
            ON CONFLICT DO NOTHING
            """,
            columns(record) + [
                .int2s(record.deliveries.map(\.platform)),
                .timestamptz(microsecondsSinceUnixEpoch: record.recordedAt.microseconds),
            ]
        )
    }

    /// The columns that first and later attempts have in common, as arrays.
    private func columns(_ record: BatchRecord) -> [PostgresParameter] {
        let rows = record.deliveries
        return [
            .int8s(rows.map(\.notification.rawValue)),
            .int8s(rows.map(\.installation.rawValue)),
            .int2s(rows.map(\.state.rawValue)),
            .int2s(rows.map { Int16($0.attempts) }),
            .bools(rows.map(\.isAmbiguous)),
            .textsOrNull(rows.map(\.reason)),
        ]
    }

    /// Later attempts find their row waiting in `retrying`; a row that is already final stays as it is.
    private func update(_ record: BatchRecord) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.delivery d
            SET state = u.state, attempts = u.attempts, is_ambiguous = d.is_ambiguous OR u.ambiguous,
                reason = CASE WHEN u.state = 1 THEN coalesce(u.reason, d.reason) ELSE u.reason END,
                accepted_at = CASE WHEN u.state = 2 THEN $7 END, finished_at = CASE WHEN u.state > 1 THEN $7 END
            FROM unnest($1::int8[], $2::int8[], $3::int2[], $4::int2[], $5::bool[], $6::text[])
                AS u(notification, installation, state, attempts, ambiguous, reason)
            WHERE d.notification_id = u.notification AND d.installation_id = u.installation AND d.state = 1
            """,
            columns(record) + [.timestamptz(microsecondsSinceUnixEpoch: record.recordedAt.microseconds)]
        )
    }

    /// A registration newer than the gateway's word stays, and so does one on a channel that the guard has stopped.
    ///
    /// Locked in key order, so that two batches cannot deadlock.
    private func retirements(_ record: BatchRecord) -> PostgresStatement {
        PostgresStatement(
            """
            WITH gone AS (
                SELECT i.id, r.reason, r.notification, r.attempts
                FROM unnest($1::int8[], $2::text[], $3::timestamptz[], $4::int8[], $5::int2[])
                    AS r(id, reason, since, notification, attempts)
                JOIN dispatcher.installation i ON i.id = r.id
                JOIN dispatcher.hub h ON h.id = i.hub_id
                WHERE i.retired_at IS NULL AND (r.since IS NULL OR i.registered_at < r.since)
                  AND NOT EXISTS (
                      SELECT FROM dispatcher.channel_pause p
                      WHERE p.closed_at IS NULL AND p.cause = 'dead' AND p.hub_id = i.hub_id
                        AND p.platform = i.platform AND p.is_sandbox = i.is_sandbox
                        AND p.target = dispatcher.channel_target(i.platform, i.topic, h.apns_topic, i.push_channel))
                ORDER BY i.id
                FOR UPDATE OF i
            ),
            retired AS (
                UPDATE dispatcher.installation i
                SET retired_at = clock_timestamp(), retire_reason = gone.reason
                FROM gone
                WHERE i.id = gone.id
                RETURNING i.hub_id, i.id, i.installation_id, i.user_id, i.platform, gone.*
            )
            INSERT INTO dispatcher.outbox
                (hub_id, event, notification_id, installation_id, device, user_id, platform, attempts, reason)
            SELECT hub_id, $6, notification, installation, device, user_id, platform, attempts, reason
            FROM retired AS t(hub_id, installation, device, user_id, platform, id, reason, notification, attempts)
            WHERE $7
            """,
            [
                .int8s(record.retirements.map(\.installation.rawValue)),
                .texts(record.retirements.map(\.reason)),
                .timestamptzsOrNull(record.retirements.map { $0.invalidSince?.microseconds }),
                .int8s(record.retirements.map(\.notification.rawValue)),
                .int2s(record.retirements.map { Int16($0.attempts) }),
                .int2(EventKind.retired.code),
                .bool(told.contains(.retired)),
            ]
        )
    }

    private func begin(_ next: NextBatch) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE dispatcher.batch SET worker_id = $2, epoch = epoch + 1
            WHERE id = $1 AND worker_id IS NULL AND epoch = coalesce($3, epoch) AND \(BatchStore.mayBegin)
            RETURNING ARRAY(
                SELECT n.id FROM dispatcher.notification n
                WHERE n.id = ANY (notification_ids) AND n.cancelled_at IS NOT NULL)
            """,
            [.int8(next.id), .int8(worker), .int4OrNull(next.epoch)]
        )
    }
}
