import Testing

@testable import Postgres

@Suite("Session", .enabled(if: TestDatabase.isAvailable), .timeLimit(.minutes(4)))
struct SessionTests {
    private static let insert = "INSERT INTO item (id, name) VALUES ($1, $2)"

    private func withTable<R: Sendable>(
        _ configuration: PostgresConfiguration? = nil,
        _ body: @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await TestDatabase.withConnection(configuration) { connection in
            try await connection.withThrowingSession { session in
                try session.execute("CREATE TABLE item (id int8 PRIMARY KEY, name text)")
                return try body(session)
            }
        }
    }

    private static func count(_ session: borrowing PostgresSession) throws -> Int64 {
        try session.execute(PostgresStatement("SELECT count(*) FROM item")).int8(0, 0)
    }

    private static func item(_ id: Int64, _ name: String = "x") -> PostgresStatement {
        PostgresStatement(insert, [.int8(id), .text(name)])
    }

    @Test("statements beyond the limit are deallocated, the rest stay prepared")
    func preparedEviction() async throws {
        let configuration = try TestDatabase.configuration(preparedStatementLimit: 3)
        try await withTable(configuration) { session in
            for number in 0..<10 { try session.execute(PostgresStatement("SELECT \(number)")) }
            try session.execute(PostgresStatement("SELECT 9"))
            let rows = try session.execute(
                PostgresStatement("SELECT count(*) FROM pg_prepared_statements", prepared: false)
            )
            #expect(try rows.int8(0, 0) <= 4)
        }
    }

    @Test("a violated constraint is named, its values are not")
    func uniqueViolation() async throws {
        try await withTable { session in
            expectEqual(try session.execute(Self.item(1)).affected, 1)
            let error = #expect(throws: PostgresError.self) { try session.execute(Self.item(1)) }
            #expect(error?.sqlState == "23505")
            #expect(error?.constraint == "item_pkey")
            #expect(error?.table == "item")
            #expect(error?.kind == .server)
            #expect(error?.debugDescription == "execute INSERT: server SQLSTATE 23505 table item constraint item_pkey")
            expectEqual(try Self.count(session), 1)
        }
    }

    @Test("text with a NUL never reaches the server")
    func nul() async throws {
        try await withTable { session in
            let error = #expect(throws: PostgresError.self) { try session.execute(Self.item(1, "abc\0def")) }
            #expect(error?.kind == .encoding)
            let sql = #expect(throws: PostgresError.self) { try session.execute("SELECT 1\0; DROP TABLE item") }
            #expect(sql?.kind == .encoding)
            let piped = #expect(throws: PostgresError.self) {
                try session.pipeline([Self.item(1), Self.item(2, "\0")])
            }
            #expect(piped?.kind == .encoding && piped?.statementIndex == 1)
            expectEqual(try Self.count(session), 0)
        }
    }

    @Test("a pipeline answers each statement's rows")
    func pipeline() async throws {
        try await withTable { session in
            let inserts = (0..<500).map { Self.item($0) }
            let rows = try session.pipeline(inserts + [PostgresStatement("SELECT count(*) FROM item")])
            #expect(rows.count == 501)
            #expect(rows[0].affected == 1)
            #expect(try rows[500].int8(0, 0) == 500)
            let known = try session.execute(PostgresStatement("SELECT count(*) FROM pg_prepared_statements"))
            #expect(try known.int8(0, 0) == 3)
        }
    }

    @Test("a failing pipeline names its statement, undoes all and leaves the connection usable")
    func pipelineFailure() async throws {
        try await withTable { session in
            let error = #expect(throws: PostgresError.self) {
                try session.pipeline([Self.item(1), Self.item(2), Self.item(1), Self.item(3)])
            }
            #expect(error?.statementIndex == 2)
            #expect(error?.sqlState == "23505")
            expectEqual(try Self.count(session), 0)
            expectEqual(try session.pipeline([Self.item(1), Self.item(2)]).count, 2)
            let syntax = #expect(throws: PostgresError.self) {
                try session.pipeline([Self.item(3), PostgresStatement("SELEC")])
            }
            #expect(syntax?.statementIndex == 1 && syntax?.sqlState == "42601")
            let begun = #expect(throws: PostgresError.self) {
                try session.pipeline([PostgresStatement("BEGIN"), Self.item(1), PostgresStatement("COMMIT")])
            }
            #expect(begun?.statementIndex == 1)
            expectEqual(session.isInTransaction, false)
            expectEqual(try Self.count(session), 2)
        }
    }

    @Test("a deferred constraint fails the pipeline's commit")
    func deferredConstraint() async throws {
        try await withTable { session in
            try session.execute("CREATE TABLE part (item int8 REFERENCES item DEFERRABLE INITIALLY DEFERRED)")
            let error = #expect(throws: PostgresError.self) {
                try session.pipeline([PostgresStatement("INSERT INTO part VALUES (1)"), Self.item(2)])
            }
            #expect(error?.sqlState == "23503")
            #expect(error?.statementIndex == nil)
            expectEqual(try Self.count(session), 0)
        }
    }

    @Test("large answers and large statements in one pipeline do not block each other")
    func pipelineBackPressure() async throws {
        try await withTable { session in
            let name = String(repeating: "x", count: 20_000)
            let echo = PostgresStatement("SELECT repeat($1, 4)", [.text(name)])
            let rows = try session.pipeline([PostgresStatement](repeating: echo, count: 500))
            #expect(try rows[499].text(0, 0).utf8.count == 80_000)
        }
    }

    @Test("a transaction commits, or rolls back when its body throws")
    func transaction() async throws {
        try await withTable { session in
            try session.transaction { session throws(PostgresError) in _ = try session.execute(Self.item(1)) }
            #expect(throws: CancellationError.self) {
                try session.throwingTransaction { session in
                    try session.execute(Self.item(2))
                    throw CancellationError()
                }
            }
            expectEqual(try Self.count(session), 1)
            let nested = #expect(throws: PostgresError.self) {
                try session.transaction { session throws(PostgresError) in
                    try session.transaction { _ throws(PostgresError) in }
                }
            }
            #expect(nested?.sqlState == "25001")
            expectEqual(session.isInTransaction, false)
        }
    }

    @Test("a transaction whose body swallows an error does not pretend to have committed")
    func swallowedError() async throws {
        try await withTable { session in
            let error = #expect(throws: PostgresError.self) {
                try session.transaction { session throws(PostgresError) in
                    try session.execute(Self.item(1))
                    _ = try? session.execute(Self.item(1))
                }
            }
            #expect(error?.sqlState == "25P02" && error?.isCommitUnknown == false)
            expectEqual(try Self.count(session), 0)
        }
    }

    @Test("a transaction left open is rolled back at the session's end")
    func leftOpen() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withSession { session throws(PostgresError) in
                try session.execute("CREATE TABLE item (id int8); BEGIN; INSERT INTO item VALUES (1)")
            }
            let count = try await connection.withThrowingSession { session in
                expectEqual(session.isInTransaction, false)
                return try session.execute(PostgresStatement("SELECT 1")).count
            }
            #expect(count == 1)
        }
    }

    @Test("a changed result type costs one error, then the statement is parsed anew")
    func stalePlan() async throws {
        try await withTable { session in
            let all = PostgresStatement("SELECT * FROM item")
            try session.execute(all)
            try session.execute("ALTER TABLE item ADD more int4")
            let error = #expect(throws: PostgresError.self) { try session.execute(all) }
            #expect(error?.sqlState == "0A000")
            expectEqual(try session.execute(all).columnCount, 3)
        }
    }

    @Test("a large result is read in pieces while the session is used")
    func stream() async throws {
        try await withTable { session in
            try session.execute("INSERT INTO item SELECT n, 'x' FROM generate_series(1, 10000) n")
            var sum: Int64 = 0
            var chunks = 0
            let select = PostgresStatement("SELECT id FROM item WHERE id > $1 ORDER BY id", [.int8(0)])
            try session.forEachRow(select) { rows, row throws(PostgresError) in sum += try rows.int8(row, 0) }
            try session.forEachChunk(select, size: 1000) { rows throws(PostgresError) in
                chunks += 1
                #expect(rows.count == 1000)
                try session.execute(PostgresStatement("SELECT 1"))
            }
            #expect(sum == 50_005_000)
            #expect(chunks == 10)
            expectEqual(session.isInTransaction, false)
        }
    }
}
