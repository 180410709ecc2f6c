import DispatchCore
import Postgres

extension ChannelStore {
    /// Tells what was answered here, and hears what all workers have told of the channels with an alarm.
    func share(_ told: [ChannelSecond], now: Timestamp) async throws -> [SharedAnswers] {
        let statement = PostgresStatement(
            """
            SELECT hub_id, platform, target, is_sandbox, alarmed_at, second, accepted, unavailable, dead
            FROM dispatcher.share_answers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ORDER BY hub_id, platform, target, is_sandbox
            """,
            [
                .int8(worker),
                .int8(ChannelPolicy.oldestSecond(at: now)),
                .int8s(told.map(\.second)),
                .int4s(told.map(\.key.hub)),
                .int2s(told.map(\.key.platform.rawValue)),
                .bools(told.map(\.key.isSandbox)),
                .texts(told.map(\.key.target)),
                .int4s(told.map { Int32(clamping: $0.counts.accepted) }),
                .int4s(told.map { Int32(clamping: $0.counts.unavailable) }),
                .int4s(told.map { Int32(clamping: $0.counts.dead) }),
                .bools(told.map(\.isAlarm)),
            ]
        )
        return try await pool.withSession { session throws(PostgresError) in
            try Self.answers(try session.execute(statement))
        }
    }

    private static func answers(_ rows: PostgresRows) throws(PostgresError) -> [SharedAnswers] {
        var answers: [SharedAnswers] = []
        for row in 0..<rows.count {
            guard let key = try key(rows, row) else { continue }
            if answers.last?.key != key {
                let alarmedAt = Timestamp(microseconds: try rows.timestamp(row, 4))
                answers.append(SharedAnswers(key: key, alarmedAt: alarmedAt))
            }
            let counts = ChannelCounts(
                accepted: Int(try rows.int8(row, 6)),
                unavailable: Int(try rows.int8(row, 7)),
                dead: Int(try rows.int8(row, 8))
            )
            answers[answers.count - 1].add(counts, second: try rows.int8(row, 5))
        }
        return answers
    }
}
