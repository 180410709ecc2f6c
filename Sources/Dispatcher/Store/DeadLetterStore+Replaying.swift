import DispatchCore
import Postgres

extension DeadLetterStore {
    /// How long a replay has its letters to itself; one that died holds up the next one no longer.
    static let claimSeconds: Int32 = 60

    /// Takes those that may be replayed, so that no other replay has them at the same time.
    ///
    /// Without `again` only those that never were. A cut body cannot be replayed.
    func claim(_ ids: [Int64], as claim: UUIDValue, again: Bool) async throws -> [DeadLetterContent] {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter
            SET claim = $2, claimed_until = clock_timestamp() + $3::int4 * interval '1 second'
            WHERE id IN (SELECT id FROM dispatcher.dead_letter WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
              AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
              AND (is_open AND replays = 0 OR $4::boolean)
              AND octet_length(body) = byte_count
            RETURNING \(DeadLetterContent.columns)
            """,
            [.int8s(ids), .uuid(high: claim.high, low: claim.low), .int4(Self.claimSeconds), .bool(again)]
        )
        let claimed = try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [DeadLetterContent] = []
            for row in 0..<rows.count { found.append(try DeadLetterContent(rows, row)) }
            return found
        }
        return claimed.sorted { $0.id < $1.id }
    }

    /// Closes what the broker has confirmed.
    ///
    /// One that was refused once more in the meantime stays open. Locked in the order of their ids, as a claim does, so that
    /// two replays cannot lock each other out.
    func markReplayed(_ letters: [DeadLetterContent]) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter l
            SET replays = l.replays + 1, replayed_at = clock_timestamp(), discarded_at = NULL,
                is_open = l.is_open AND l.times_seen <> c.seen, claim = NULL, claimed_until = NULL
            FROM (
                SELECT d.id, c.seen
                FROM unnest($1::int8[], $2::int4[]) AS c(id, seen)
                JOIN dispatcher.dead_letter d ON d.id = c.id
                ORDER BY d.id FOR UPDATE OF d
            ) c
            WHERE l.id = c.id
            """,
            [.int8s(letters.map(\.id)), .int4s(letters.map { Int32(clamping: $0.timesSeen) })]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Gives back what could not be published.
    func release(_ letters: [DeadLetterContent], of claim: UUIDValue) async throws {
        let statement = PostgresStatement(
            """
            UPDATE dispatcher.dead_letter SET claim = NULL, claimed_until = NULL
            WHERE id IN (SELECT id FROM dispatcher.dead_letter WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
              AND claim = $2
            """,
            [.int8s(letters.map(\.id)), .uuid(high: claim.high, low: claim.low)]
        )
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    /// Closes those that are open and in nobody's hands; answers which.
    func discard(_ ids: [Int64]) async throws -> [Int64] {
        try await identifiers(
            PostgresStatement(
                """
                UPDATE dispatcher.dead_letter SET is_open = false, discarded_at = clock_timestamp()
                WHERE id IN (SELECT id FROM dispatcher.dead_letter WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
                  AND is_open AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
                RETURNING id
                """,
                [.int8s(ids)]
            )
        )
    }
}
