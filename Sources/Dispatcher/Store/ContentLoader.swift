import Glibc
import HTTP
import Postgres

/// Brings the octets of contents from the database: small ones many at a time, large ones into files that have no name.
struct ContentLoader: Sendable {
    let pool: PostgresPool
    let budget: SpoolBudget

    /// Octets of a content that is kept in memory; a file is sent without passing through it.
    static let memoryLimit = 64 * 1024

    /// The octets of small contents, in order; nil where it is gone meanwhile.
    func small(_ contents: [StoredContent], in hub: Int32) async throws -> [ContentOctets?] {
        let statement = PostgresStatement(
            "SELECT content_id, bytes FROM dispatcher.content_chunk WHERE content_id = ANY ($1) AND position = 0",
            [.int8s(Set(contents.map(\.id)))]
        )
        let found = try await pool.inHub(hub, ask: statement) { rows in
            var found: [Int64: ContentOctets] = [:]
            for row in 0..<rows.count { found[try rows.int8(row, 0)] = .memory(try rows.bytes(row, 1)) }
            return found
        }
        return contents.map { $0.length == 0 ? .memory([]) : found[$0.id] }
    }

    /// The octets of a large content; nil when it is gone meanwhile.
    func large(_ content: StoredContent, in hub: Int32) async throws -> ContentOctets? {
        guard budget.take(content.length) else { throw Problem.unavailable("There is no room for this file now.") }
        guard let descriptor = ContentSpool.namelessFile() else {
            budget.giveBack(content.length)
            throw Problem.unavailable("There is no room for this file now.")
        }
        let file = HTTPFile(takingOver: descriptor) { [budget] in budget.giveBack(content.length) }
        let isWhole = try await pool.inHub(hub) { session in
            for position in 0..<NewContent.chunkCount(content.length) {
                let rows = try session.execute(Self.chunk(content.id, position))
                guard rows.count == 1 else { return false }
                guard ContentSpool.write(try rows.bytes(0, 0), to: descriptor) == nil else {
                    throw Problem.unavailable("There is no room for this file now.")
                }
            }
            return true
        }
        guard isWhole, file.size == UInt64(content.length) else { return nil }
        return .file(file, count: content.length)
    }

    private static func chunk(_ content: Int64, _ position: Int) -> PostgresStatement {
        PostgresStatement(
            "SELECT bytes FROM dispatcher.content_chunk WHERE content_id = $1 AND position = $2",
            [.int8(content), .int4(Int32(position))]
        )
    }
}
