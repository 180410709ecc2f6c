import DispatchCore
import Postgres

/// Finds contents, and whether who asks may have them.
struct ContentLookup: Sendable {
    /// What one request asks for.
    struct Question: Sendable {
        let notification: NotificationReference

        /// The device that asks; nil for a service or somebody with a signed address, who may have all of the hub's.
        let device: InstallationKey?
    }

    let pool: PostgresPool

    /// Answers in order; nil where there is none, or not for the device.
    func answers(_ questions: [Question], in hub: Int32) async throws -> [StoredContent?] {
        let statement = PostgresStatement(
            """
            SELECT ordinal, id, job_id, length, checksum, media_type, file_name, url
            FROM dispatcher.find_contents($1, $2, $3)
            """,
            [
                .uuidsOrNull(questions.map { $0.notification.job.map { ($0.high, $0.low) } }),
                .int8sOrNull(questions.map { $0.notification.number?.rawValue }),
                .int8sOrNull(questions.map { $0.device?.rawValue }),
            ]
        )
        return try await pool.inHub(hub, ask: statement) { rows in
            var answers: [StoredContent?] = Array(repeating: nil, count: questions.count)
            for row in 0..<rows.count { answers[Int(try rows.int8(row, 0)) - 1] = try Self.content(rows, row) }
            return answers
        }
    }

    private static func content(_ rows: PostgresRows, _ row: Int) throws(PostgresError) -> StoredContent {
        let job = try rows.uuid(row, 2)
        return StoredContent(
            id: try rows.int8(row, 1),
            job: UUIDValue(high: job.high, low: job.low),
            length: Int(try rows.int4(row, 3)),
            checksum: try rows.bytes(row, 4),
            type: try rows.text(row, 5),
            name: try rows.textOrNull(row, 6),
            url: try rows.textOrNull(row, 7)
        )
    }
}
