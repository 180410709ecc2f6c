import AMQP
import Postgres

/// The table of messages that can never become notifications.
struct DeadLetterStore: Sendable {
    let pool: PostgresPool

    /// The table keeps this much of a body, which is all of anything that can be a job; the whole message is in
    /// `push.dead`.
    static let bodyLimit = 1_048_576

    /// Writes a row for each; answers those not yet confirmed in `push.dead`.
    ///
    /// One that was replayed or discarded before is opened again, in a new generation: the message of the old one may
    /// still lie in the queue, and must not be taken for this one's.
    func insert(_ rejections: [Rejection]) async throws -> [Unpublished] {
        let statement = Self.insertion(rejections)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var generations: [[UInt8]: Int] = [:]
            for row in 0..<rows.count where try rows.isNull(row, 1) {
                generations[try rows.bytes(row, 0)] = Int(try rows.int4(row, 2))
            }
            return rejections.compactMap { rejection in
                generations.removeValue(forKey: rejection.fingerprint).map { Unpublished(rejection, generation: $0) }
            }
        }
    }

    private static func insertion(_ rejections: [Rejection]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.dead_letter
                (fingerprint, queue, hub, message_id, reason, path, byte_offset, detail, byte_count, body, exchange,
                 routing_key, content_type, headers)
            SELECT DISTINCT ON (f) f, q, h, m, r, p, o, d, c, b, x, k, t, a
            FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[],
                        $8::text[], $9::int4[], $10::bytea[], $11::text[], $12::text[], $13::text[], $14::text[])
                 AS l(f, q, h, m, r, p, o, d, c, b, x, k, t, a)
            ORDER BY f
            ON CONFLICT (fingerprint) DO UPDATE SET
                times_seen = dead_letter.times_seen + 1,
                last_seen_at = clock_timestamp(),
                generation = dead_letter.generation + CASE WHEN dead_letter.is_open THEN 0 ELSE 1 END,
                published_at = CASE WHEN dead_letter.is_open THEN dead_letter.published_at END,
                is_open = true,
                discarded_at = NULL,
                hub = excluded.hub,
                reason = excluded.reason,
                path = excluded.path,
                byte_offset = excluded.byte_offset,
                detail = excluded.detail
            RETURNING fingerprint, published_at, generation
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
            ]
        )
    }

    /// PostgreSQL keeps no NUL in text, and a hostile property may hold one.
    private static func storable(_ text: String?) -> String? {
        text.map { $0.utf8.contains(0) ? String($0.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : $0 }
    }

    func markPublished(_ rejections: [Rejection]) async throws {
        let statement = PostgresStatement(
            "UPDATE dispatcher.dead_letter SET published_at = clock_timestamp() WHERE fingerprint = ANY ($1::bytea[])",
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

        init(_ rejection: Rejection, generation: Int) {
            self.rejection = rejection
            self.generation = generation
        }
    }
}
