import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct TagExpressionQueryTests {
    private static let tags = ["a", "b", "c", "lang:en", "user:x@y.z", "#1"]
    private static let users = ["u1", "ü 2", "it's", "a\\b"]

    private struct Fact: Sendable {
        let id: String
        let user: String?
        let tags: [String]
    }

    private static func facts(_ generator: inout some RandomNumberGenerator) -> [Fact] {
        (0..<300).map { number in
            Fact(
                id: "i\(number)",
                user: Bool.random(using: &generator) ? users.randomElement(using: &generator) : nil,
                tags: tags.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
            )
        }
    }

    private static func expression(depth: Int, using generator: inout some RandomNumberGenerator) -> TagExpression {
        let operands = (0..<Int.random(in: 2...3, using: &generator)).map { _ in depth - 1 }
        switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &generator) {
        case 0, 1: return DispatchCore.Tag(tags.randomElement(using: &generator) ?? "a").map { .tag($0) } ?? .user("u1")
        case 2: return .user(users.randomElement(using: &generator) ?? "u1")
        case 3: return .installation("i\(Int.random(in: 0..<300, using: &generator))")
        case 4, 5: return .not(expression(depth: depth - 1, using: &generator))
        case 6, 7: return .all(of: operands.map { expression(depth: $0, using: &generator) })
        default: return .any(of: operands.map { expression(depth: $0, using: &generator) })
        }
    }

    @Test("three hundred random expressions select in SQL exactly what matching selects")
    func equalsMatching() async throws {
        var generator = SystemDice()
        let facts = Self.facts(&generator)
        let expressions = (0..<300).map { _ in Self.expression(depth: 4, using: &generator) }
        try await withDatabase { database in
            try await Self.insert(facts, database)
            for expression in expressions {
                let expected = facts.filter { fact in
                    let tags = Set(fact.tags.compactMap { DispatchCore.Tag($0) })
                    return expression.matches(tags: tags, installationID: fact.id, userID: fact.user)
                }
                let found = try await Self.select(expression, database)
                #expect(found == expected.map(\.id).sorted(), "\(expression)")
            }
        }
    }

    private static func insert(_ facts: [Fact], _ database: TestDatabase) async throws {
        let statement = PostgresStatement(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, user_id, tags)
            SELECT h.id, f.id, 1, 'ok-' || f.id, f.user_id, array_remove(string_to_array(f.tags, ' '), '')
            FROM dispatcher.hub h, unnest($1::text[], $2::text[], $3::text[]) AS f(id, user_id, tags)
            """,
            [
                .texts(facts.map(\.id)), .textsOrNull(facts.map(\.user)),
                .texts(facts.map { $0.tags.joined(separator: " ") }),
            ]
        )
        try await database.pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }

    private static func select(_ expression: TagExpression, _ database: TestDatabase) async throws -> [String] {
        let condition = expression.sql(alias: "i", firstParameter: 1)
        let sql =
            "SELECT i.installation_id FROM dispatcher.installation i WHERE \(condition.text) ORDER BY i.installation_id COLLATE \"C\""
        return try await database.texts(sql, condition.parameters.map(\.postgresParameter)).map { $0[0] }
    }
}
