import DispatchCore
import Postgres

/// The statement that keeps until when devices are to be left alone.
enum DevicePauseRows {
    /// A row that somebody has locked is passed by, so that two records never wait for each other: the device is
    /// being registered anew, or paused by another answer.
    static func statement(_ pauses: [BatchRecord.PausedDevice]) -> PostgresStatement {
        PostgresStatement(
            """
            WITH asked AS (
                SELECT id, channel, max(until) AS until
                FROM unnest($1::int8[], $2::text[], $3::timestamptz[]) AS p(id, channel, until)
                GROUP BY id, channel
            ),
            free AS (
                SELECT i.id, a.until FROM asked a
                JOIN dispatcher.installation i ON i.id = a.id
                WHERE i.push_channel = a.channel AND (i.paused_until IS NULL OR i.paused_until < a.until)
                FOR UPDATE OF i SKIP LOCKED
            )
            UPDATE dispatcher.installation i SET paused_until = free.until FROM free WHERE i.id = free.id
            """,
            [
                .int8s(pauses.map(\.installation.rawValue)),
                .texts(pauses.map(\.channel)),
                .timestamptzs(pauses.map(\.until.microseconds)),
            ]
        )
    }
}
