import AMQP
import Postgres

/// The table of messages that can never become notifications.
struct DeadLetterStore: Sendable {
    let pool: PostgresPool

    /// The table keeps this much of a body; the whole message is in `push.dead`.
    private static let bodyLimit = 64 * 1024

    /// Writes a row for each; answers the positions of those not yet confirmed in `push.dead`.
    func insert(_ rejections: [Rejection]) async throws -> [Int] {
        let statement = Self.insertion(rejections)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var unpublished: Set<[UInt8]> = []
            for row in 0..<rows.count where try rows.isNull(row, 1) {
                unpublished.insert(try rows.bytes(row, 0))
            }
            return rejections.indices.filter { unpublished.remove(rejections[$0].fingerprint) != nil }
        }
    }

    private static func insertion(_ rejections: [Rejection]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.dead_letter
                (fingerprint, queue, hub, message_id, reason, path, byte_offset, detail, byte_count, body)
            SELECT DISTINCT ON (f) f, q, h, m, r, p, o, d, c, b
            FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[],
                        $8::text[], $9::int4[], $10::bytea[]) AS l(f, q, h, m, r, p, o, d, c, b)
            ORDER BY f
            ON CONFLICT (fingerprint) DO UPDATE SET times_seen = dead_letter.times_seen + 1
            RETURNING fingerprint, published_at
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
