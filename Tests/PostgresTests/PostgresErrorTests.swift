import Testing

@testable import Postgres

@Suite("PostgresError")
struct PostgresErrorTests {
    @Test(
        "SQLSTATE decides the policy",
        arguments: [
            ("40001", PostgresError.Policy.retry), ("40P01", .retry), ("55P03", .retry), ("25P02", .retry),
            ("08006", .reconnect), ("08P01", .reconnect), ("57P01", .reconnect), ("57P02", .reconnect),
            ("57P03", .reconnect), ("53300", .reconnect), ("25006", .reconnect), ("25P03", .reconnect),
            ("53100", .wait), ("53200", .wait), ("58030", .wait), ("57014", .smaller),
            ("22021", .permanent), ("22P05", .permanent), ("23505", .permanent), ("42601", .permanent),
            ("54001", .permanent), ("0A000", .permanent), ("28P01", .permanent), ("P0001", .permanent),
        ]
    )
    func policy(state: String, policy: PostgresError.Policy) {
        #expect(PostgresError(.server, operation: "x", sqlState: state).policy == policy)
    }

    @Test(
        "without SQLSTATE the kind decides the policy",
        arguments: [
            (PostgresError.Kind.connection, PostgresError.Policy.reconnect), (.timeout, .reconnect),
            (.cancelled, .retry), (.protocol, .reconnect), (.encoding, .permanent), (.decoding, .permanent),
        ]
    )
    func policy(kind: PostgresError.Kind, policy: PostgresError.Policy) {
        #expect(PostgresError(kind, operation: "x").policy == policy)
    }

    @Test("the description has names, never the message")
    func description() {
        var error = PostgresError(
            .server,
            operation: "execute INSERT",
            sqlState: "23505",
            constraint: "item_pkey",
            table: "item",
            message: "secret"
        )
        error.statementIndex = 3
        #expect(
            error.description
                == "execute INSERT: server SQLSTATE 23505 table item constraint item_pkey statement 3"
        )
        #expect(!"\(error)".contains("secret"))
    }

    @Test("a statement is named by its first word only")
    func operation() {
        #expect(Operation.statement(PostgresStatement("\n  SELECT 'secret'")).text == "execute SELECT")
        #expect(Operation.statement(PostgresStatement("'secret'")).text == "execute ")
    }
}
