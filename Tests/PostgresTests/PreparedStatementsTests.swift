import Testing

@testable import Postgres

@Suite("PreparedStatements")
struct PreparedStatementsTests {
    private func key(_ sql: String, _ parameters: [PostgresParameter] = []) -> PreparedStatements.Key {
        PreparedStatements.Key(PostgresStatement(sql, parameters))
    }

    @Test("the longest unused statement makes room")
    func eviction() {
        var cache = PreparedStatements(limit: 2)
        #expect(cache.insert(key("a"), name: "1") == nil)
        #expect(cache.insert(key("b"), name: "2") == nil)
        #expect(cache.name(of: key("a")) == "1")
        #expect(cache.insert(key("c"), name: "3") == "2")
        #expect(cache.name(of: key("b")) == nil)
        #expect(cache.count == 2)
    }

    @Test("parameter types and octets tell statements apart")
    func keys() {
        var cache = PreparedStatements(limit: 9)
        _ = cache.insert(key("$1", [.int4(1)]), name: "1")
        #expect(cache.name(of: key("$1", [.int8(1)])) == nil)
        _ = cache.insert(key("caf\u{E9}"), name: "2")
        #expect(cache.name(of: key("cafe\u{301}")) == nil)
    }
}
