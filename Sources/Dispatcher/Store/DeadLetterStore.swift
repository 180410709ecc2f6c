import AMQP
import DispatchCore
import Postgres

/// The table of messages that can never become notifications.
struct DeadLetterStore: Sendable {
    let pool: PostgresPool

    /// The table keeps this much of a body, which is all of anything that can be a job; the whole message is in
    /// `push.dead`.
    static let bodyLimit = JobLimits.json.bytes

    /// How long a worker has the publishing of a letter to itself: its wait for the confirm, and some.
    private static let filingSeconds: Int32 = 15

    /// Writes a row for each; answers those not yet confirmed in `push.dead`.
    ///
    /// One that was replayed or discarded before is opened again, in a new generation: the message of the old one may
    /// still lie in the queue, and must not be taken for this one's.
    func insert(_ rejections: [Rejection], claim: UUIDValue) async throws -> [Unpublished] {
        try await unpublished(Self.insertion(rejections, claim), of: rejections)
    }

    /// Claims those of which another worker has published nothing in time; answers all that are still unpublished.
    func reclaim(_ rejections: [Rejection], claim: UUIDValue) async throws -> [Unpublished] {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter SET
                claim = CASE WHEN \(Self.isFree) THEN $2 ELSE claim END,
                claimed_until = CASE WHEN \(Self.isFree) THEN clock_timestamp() + $3 * interval '1 second'
                                     ELSE claimed_until END
            WHERE fingerprint = ANY ($1::bytea[]) AND published_at IS NULL AND is_open
            RETURNING fingerprint, published_at, generation, claim = $2
            """,
            [
                .byteas(rejections.map(\.fingerprint)), .uuid(high: claim.high, low: claim.low),
                .int4(Self.filingSeconds),
            ]
        )
        return try await unpublished(statement, of: rejections)
    }

    private static let isFree = "dead_letter.claimed_until IS NULL OR dead_letter.claimed_until < clock_timestamp()"

    private func unpublished(_ statement: PostgresStatement, of rejections: [Rejection]) async throws -> [Unpublished] {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var states: [[UInt8]: (generation: Int, isClaimed: Bool)] = [:]
            for row in 0..<rows.count where try rows.isNull(row, 1) {
                states[try rows.bytes(row, 0)] = (Int(try rows.int4(row, 2)), try rows.boolOrNull(row, 3) ?? false)
            }
            return rejections.compactMap { rejection in
                states.removeValue(forKey: rejection.fingerprint).map {
                    Unpublished(rejection: rejection, generation: $0.generation, isClaimed: $0.isClaimed)
                }
            }
        }
    }

    private static func insertion(_ rejections: [Rejection], _ claim: UUIDValue) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.dead_letter
                (fingerprint, queue, hub, message_id, reason, path, byte_offset, detail, byte_count, body, exchange,
                 routing_key, content_type, headers, publisher, claim, claimed_until, times_seen,
                 job_id)
            SELECT DISTINCT ON (f) f, q, h, m, r, p, o, d, c, b, x, k, t, a, u,
                   $16, clock_timestamp() + $17 * interval '1 second', count(*) OVER (PARTITION BY f),
                   j
            FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[],
                        $8::text[], $9::int4[], $10::bytea[], $11::text[], $12::text[], $13::text[], $14::text[],
                        $15::text[], $18::text[])
                 AS l(f, q, h, m, r, p, o, d, c, b, x, k, t, a, u, j)
            ORDER BY f
            ON CONFLICT (fingerprint) DO UPDATE SET
                times_seen = dead_letter.times_seen + excluded.times_seen,
                last_seen_at = clock_timestamp(),
                generation = dead_letter.generation + CASE WHEN dead_letter.is_open THEN 0 ELSE 1 END,
                published_at = CASE WHEN dead_letter.is_open THEN dead_letter.published_at END,
                claim = CASE WHEN (dead_letter.published_at IS NULL OR NOT dead_letter.is_open) AND (\(isFree))
                             THEN excluded.claim ELSE dead_letter.claim END,
                claimed_until = CASE WHEN (dead_letter.published_at IS NULL OR NOT dead_letter.is_open) AND (\(isFree))
                                     THEN excluded.claimed_until ELSE dead_letter.claimed_until END,
                is_open = true,
                discarded_at = NULL,
                hub = excluded.hub,
                reason = excluded.reason,
                path = excluded.path,
                byte_offset = excluded.byte_offset,
                detail = excluded.detail
            RETURNING fingerprint, published_at, generation, claim = $16
            """,
            [
                .byteas(rejections.map(\.fingerprint)),
                .texts(rejections.map(\.queue)),
                .textsOrNull(rejections.map(\.hub)),
                .textsOrNull(rejections.map { storable($0.message.properties.messageID) }),
                .texts(rejections.map(\.reason)),
                .textsOrNull(rejections.map { storable($0.path) }),
                .int4sOrNull(rejections.map { $0.offset.map(Int32.init(clamping:)) }),
                .texts(rejections.map { storable($0.detail) ?? "" }),
                .int4s(rejections.map { Int32(clamping: $0.message.body.count) }),
                .byteas(rejections.map { Array($0.message.body.prefix(bodyLimit)) }),
                .textsOrNull(rejections.map { storable($0.message.exchange) }),
                .textsOrNull(rejections.map { storable($0.message.routingKey) }),
                .textsOrNull(rejections.map { storable($0.message.properties.contentType) }),
                .textsOrNull(rejections.map { HeaderText.json($0.message.properties.headers) }),
                .texts(rejections.map { storable($0.message.properties.userID) ?? "" }),
                .uuid(high: claim.high, low: claim.low),
                .int4(filingSeconds),
                .textsOrNull(rejections.map { $0.jobID?.description }),
            ]
        )
    }

    /// PostgreSQL keeps no NUL in text, and a hostile property may hold one.
    private static func storable(_ text: String?) -> String? {
        text.map { $0.utf8.contains(0) ? String($0.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : $0 }
    }

    /// Lets others publish what the broker has not confirmed.
    func giveUp(_ claim: UUIDValue) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter SET claim = NULL, claimed_until = NULL
            WHERE is_open AND published_at IS NULL AND claim = $1
            """,
            [.uuid(high: claim.high, low: claim.low)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    func markPublished(_ rejections: [Rejection]) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter SET published_at = clock_timestamp(), claim = NULL, claimed_until = NULL
            WHERE fingerprint = ANY ($1::bytea[])
            """,
            [.byteas(rejections.map(\.fingerprint))]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}

extension DeadLetterStore {
    /// A rejection whose message has to be put into `push.dead`.
    struct Unpublished: Sendable {
        let rejection: Rejection
        let generation: Int

        /// Whether the caller has to do it; else somebody else is about to.
        let isClaimed: Bool
    }
}
