import Crypto
import DispatchCore
import Postgres

/// The contents that the jobs of a wave bring, written with the notifications.
struct ContentRows {
    private struct Row {
        let job: UUIDValue
        let hub: Int32
        let type: String
        let name: String?
        let url: String?
        let bytes: [UInt8]
        let checksum: [UInt8]
    }

    private var rows: [Row] = []

    init(_ accepted: [WaveDraft.Accepted]) throws(CryptoError) {
        for item in accepted where !item.isEmptied { try add(item.wave.job, hub: item.wave.hub.id) }
    }

    private init(_ job: SendJob, hub: Int32) throws(CryptoError) {
        try add(job, hub: hub)
    }

    private mutating func add(_ job: SendJob, hub: Int32) throws(CryptoError) {
        guard case .neutral(let content) = job.content, let rich = content.rich else { return }
        guard rich.content != nil || rich.url != nil else { return }
        let bytes = rich.content?.bytes ?? []
        rows.append(
            Row(
                job: job.id,
                hub: hub,
                type: rich.content?.type ?? "text/uri-list",
                name: rich.content?.name,
                url: rich.url,
                bytes: bytes,
                checksum: try SHA256.digest(of: rich.url.map { Array($0.utf8) } ?? bytes)
            )
        )
    }

    /// What puts the content of a job in the place of the one that it had before it was changed.
    ///
    /// An upload stays while the job still says `rich` and brings nothing else; what the old document brought itself goes.
    static func replacement(_ job: SendJob, hub: Int32) throws(CryptoError) -> [PostgresStatement] {
        let rows = try ContentRows(job, hub: hub)
        guard rows.rows.isEmpty else { return rows.statements }
        var staysUploaded = false
        if case .neutral(let content) = job.content { staysUploaded = content.rich != nil }
        return [
            PostgresStatement(
                "DELETE FROM dispatcher.content WHERE job_id = $1 AND hub_id = $2 AND NOT ($3 AND job_hash IS NOT NULL)",
                [.uuid(high: job.id.high, low: job.id.low), .int4(hub), .bool(staysUploaded)]
            )
        ]
    }

    /// Nothing for a wave without contents, which is the usual one.
    var statements: [PostgresStatement] { rows.isEmpty ? [] : [removal, insertion] }

    /// What was uploaded under the id of a job that brings its own content is of no use to anybody.
    private var removal: PostgresStatement {
        PostgresStatement(
            """
            DELETE FROM dispatcher.content c
            USING unnest($1::uuid[], $2::int4[]) AS u(job, hub)
            WHERE c.job_id = u.job AND c.hub_id = u.hub
            """,
            [.uuids(rows.map { ($0.job.high, $0.job.low) }), .int4s(rows.map(\.hub))]
        )
    }

    /// A job's content is at most one chunk (`JobLimits.contentBytes`).
    private var insertion: PostgresStatement {
        PostgresStatement(
            """
            WITH brought AS (
                SELECT * FROM unnest($1::uuid[], $2::int4[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::bytea[])
                    AS u(job_id, hub_id, bytes, media_type, file_name, url, checksum)
            ), made AS (
                INSERT INTO dispatcher.content (published_at, job_id, hub_id, length, checksum, media_type, file_name, url)
                SELECT now(), job_id, hub_id, octet_length(bytes), checksum, media_type, file_name, url FROM brought
                RETURNING id, job_id, hub_id, length
            )
            INSERT INTO dispatcher.content_chunk (content_id, hub_id, position, bytes)
            SELECT made.id, made.hub_id, 0, brought.bytes FROM made JOIN brought USING (job_id, hub_id)
            WHERE made.length > 0
            """,
            [
                .uuids(rows.map { ($0.job.high, $0.job.low) }),
                .int4s(rows.map(\.hub)),
                .byteas(rows.map(\.bytes)),
                .texts(rows.map(\.type)),
                .textsOrNull(rows.map(\.name)),
                .textsOrNull(rows.map(\.url)),
                .byteas(rows.map(\.checksum)),
            ]
        )
    }
}
