import DispatchCore
import Postgres

/// Writes uploaded contents, and reads those of jobs as well.
struct ContentStore: Sendable {
    enum Outcome: Sendable {
        case stored
        /// The same content is there already.
        case known
        /// Another one is.
        case conflict
    }

    let pool: PostgresPool
    let hub: Int32

    /// Two that write one id at the same moment: the second finds what the first has written.
    private static let tries = 3

    /// Keeps a content under a job's id, all of it or nothing; its octets pass through memory chunk by chunk.
    func put(_ content: NewContent, of job: JobBody) async throws -> Outcome {
        for _ in 1..<Self.tries {
            do {
                return try await putOnce(content, job)
            } catch let error as PostgresError {
                guard error.sqlState == "23505" else { throw error }
            }
        }
        return try await putOnce(content, job)
    }

    private func putOnce(_ content: NewContent, _ job: JobBody) async throws -> Outcome {
        let hash = try job.hash
        return try await pool.inHub(hub) { [hub] session in
            let found = try session.execute(Self.existing(job.job.id, hub))
            if found.count == 1 {
                let isSame = try found.bytes(0, 0) == content.checksum && found.text(0, 1) == content.type
                return try isSame && found.bytesOrNull(0, 2) == hash ? .known : .conflict
            }
            let id = try session.execute(Self.insertion(content, job.job.id, hash, hub)).int8(0, 0)
            for position in 0..<NewContent.chunkCount(content.octets.count) {
                let start = position * NewContent.chunk
                let bytes = try content.octets.read(start..<min(start + NewContent.chunk, content.octets.count))
                try session.execute(Self.chunk(id, hub, position, bytes))
            }
            return .stored
        }
    }

    /// The broker has the content's job: it stays as long as the notification.
    func markPublished(_ job: UUIDValue) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.content SET published_at = clock_timestamp()
            WHERE job_id = $1 AND hub_id = $2 AND published_at IS NULL
            """,
            [.uuid(high: job.high, low: job.low), .int4(hub)]
        )
        try await pool.inHub(hub) { session in _ = try session.execute(statement) }
    }

    /// The content is no notification's.
    func remove(_ job: UUIDValue) async throws {
        let statement = PostgresStatement(
            "DELETE FROM dispatcher.content WHERE job_id = $1 AND hub_id = $2 AND published_at IS NULL",
            [.uuid(high: job.high, low: job.low), .int4(hub)]
        )
        try await pool.inHub(hub) { session in _ = try session.execute(statement) }
    }

    private static func existing(_ job: UUIDValue, _ hub: Int32) -> PostgresStatement {
        PostgresStatement(
            "SELECT checksum, media_type, job_hash FROM dispatcher.content WHERE job_id = $1 AND hub_id = $2",
            [.uuid(high: job.high, low: job.low), .int4(hub)]
        )
    }

    private static func insertion(
        _ content: NewContent,
        _ job: UUIDValue,
        _ hash: [UInt8],
        _ hub: Int32
    ) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.content (job_id, hub_id, length, checksum, media_type, file_name, job_hash)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING id
            """,
            [
                .uuid(high: job.high, low: job.low), .int4(hub), .int4(Int32(content.octets.count)),
                .bytea(content.checksum), .text(content.type), .textOrNull(content.name), .bytea(hash),
            ]
        )
    }

    private static func chunk(_ id: Int64, _ hub: Int32, _ position: Int, _ bytes: [UInt8]) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO dispatcher.content_chunk (content_id, hub_id, position, bytes) VALUES ($1, $2, $3, $4)",
            [.int8(id), .int4(hub), .int4(Int32(position)), .bytea(bytes)]
        )
    }
}
