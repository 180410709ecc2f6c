import DispatchCore
import Postgres

/// The statement that writes what is to be tried again, or waits for its channel.
enum RetryRows {
    static func statement(_ retries: [BatchRecord.Retry], lane: Lane) -> PostgresStatement {
        retries.contains { $0.parking != nil } ? parked(retries, lane: lane) : answered(retries, lane: lane)
    }

    private static func answered(_ retries: [BatchRecord.Retry], lane: Lane) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.retry (notification_id, installation_id, due_at, attempt, lane)
            SELECT n, i, due, attempt, $5 FROM unnest($1::int8[], $2::int8[], $3::timestamptz[], $4::int2[])
                AS r(n, i, due, attempt)
            """,
            columns(retries, lane: lane)
        )
    }

    private static func parked(_ retries: [BatchRecord.Retry], lane: Lane) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.retry (notification_id, installation_id, due_at, attempt, lane,
                                          parked_at, parked_hub, parked_platform, parked_target, parked_sandbox)
            SELECT n, i, due, attempt, $5, since, hub, platform, target, CASE WHEN since IS NOT NULL THEN sandbox END
            FROM unnest($1::int8[], $2::int8[], $3::timestamptz[], $4::int2[],
                        $6::timestamptz[], $7::int4[], $8::int2[], $9::text[], $10::bool[])
                AS r(n, i, due, attempt, since, hub, platform, target, sandbox)
            """,
            columns(retries, lane: lane) + [
                .timestamptzsOrNull(retries.map { $0.parking?.since.microseconds }),
                .int4sOrNull(retries.map { $0.parking?.channel.hub }),
                .int2sOrNull(retries.map { $0.parking?.channel.platform.rawValue }),
                .textsOrNull(retries.map { $0.parking?.channel.target }),
                .bools(retries.map { $0.parking?.channel.isSandbox ?? false }),
            ]
        )
    }

    private static func columns(_ retries: [BatchRecord.Retry], lane: Lane) -> [PostgresParameter] {
        [
            .int8s(retries.map(\.notification.rawValue)),
            .int8s(retries.map(\.installation.rawValue)),
            .timestamptzs(retries.map(\.dueAt.microseconds)),
            .int2s(retries.map { Int16($0.attempt) }),
            .int2(lane.rawValue),
        ]
    }
}
