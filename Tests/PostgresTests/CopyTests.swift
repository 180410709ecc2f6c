import Testing

@testable import Postgres

@Suite("Copy", .enabled(if: TestDatabase.isAvailable), .timeLimit(.minutes(4)))
struct CopyTests {
    private static let columns = [
        "id", "small", "flag", "at", "key", "name", "raw", "tags", "ids", "body", "n", "f", "d",
    ]

    private func withTable(_ body: @Sendable (borrowing PostgresSession) throws -> Void) async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                try session.execute(
                    """
                    CREATE TABLE "odd ""name" (id int8 PRIMARY KEY, small int2, flag bool, at timestamptz, key uuid,
                        name text, raw bytea, tags text[], ids int8[], body jsonb, n int4, f float8, d date)
                    """
                )
                try body(session)
            }
        }
    }

    private static func write(_ id: Int64, to writer: inout PostgresCopyWriter) {
        writer.row(columns: columns.count)
        writer.int8(id)
        writer.int2(Int16(id % 100))
        writer.bool(id % 2 == 0)
        writer.timestamptz(id)
        writer.uuid(high: 1, low: UInt64(id))
        writer.textOrNull(id % 3 == 0 ? nil : "name \(id)")
        writer.bytea([1, 2])
        writer.textArray(["a", "b"])
        writer.int8Array([id])
        writer.jsonb("{}")
        writer.int4(7)
        writer.float8(0.5)
        writer.date(1)
    }

    @Test("100,000 rows arrive as written")
    func many() async throws {
        try await withTable { session in
            let written = try session.copyIn("odd \"name", columns: Self.columns) { writer throws(PostgresError) in
                for id in 1...100_000 { Self.write(Int64(id), to: &writer) }
            }
            #expect(written == 100_000)
            let rows = try session.execute(
                PostgresStatement(
                    """
                    SELECT count(*), sum(id)::int8, count(name), min(at), max(key::text),
                        bool_and(tags = '{a,b}' AND ids[1] = id AND body = '{}' AND raw = '\\x0102' AND n = 7
                            AND f = 0.5 AND d = '1970-01-02' AND flag = (id % 2 = 0) AND small = id % 100)
                    FROM "odd ""name"
                    """
                )
            )
            #expect(try rows.int8(0, 0) == 100_000)
            #expect(try rows.int8(0, 1) == 5_000_050_000)
            #expect(try rows.int8(0, 2) == 66_667)
            #expect(try rows.timestamp(0, 3) == 1)
            #expect(try rows.text(0, 4) == "00000000-0000-0001-0000-0000000186a0")
            #expect(try rows.bool(0, 5))
        }
    }

    @Test("a failing body sends nothing and leaves the connection usable")
    func failingBody() async throws {
        try await withTable { session in
            let error = #expect(throws: PostgresError.self) {
                try session.copyIn("odd \"name", columns: Self.columns) { writer throws(PostgresError) in
                    for id in 1...10_000 { Self.write(Int64(id), to: &writer) }
                    throw PostgresError(.decoding, operation: "body")
                }
            }
            #expect(error?.operation == "body")
            let rows = try session.execute(PostgresStatement("SELECT count(*) FROM \"odd \"\"name\""))
            #expect(try rows.int8(0, 0) == 0)
        }
    }

    @Test("NUL, a wrong number of columns and server errors fail the copy, not the connection")
    func failures() async throws {
        try await withTable { session in
            let nul = #expect(throws: PostgresError.self) {
                try session.copyIn("odd \"name", columns: ["id", "name"]) { writer throws(PostgresError) in
                    writer.row(columns: 2)
                    writer.int8(1)
                    writer.text("a\0b")
                    expectEqual(writer.hasFailed, true)
                }
            }
            #expect(nul?.kind == .encoding)
            let short = #expect(throws: PostgresError.self) {
                try session.copyIn("odd \"name", columns: ["id", "name"]) { writer throws(PostgresError) in
                    writer.row(columns: 2)
                    writer.int8(1)
                }
            }
            #expect(short?.kind == .encoding)
            let duplicate = #expect(throws: PostgresError.self) {
                try session.copyIn("odd \"name", columns: ["id"]) { writer throws(PostgresError) in
                    for _ in 0..<50_000 {
                        writer.row(columns: 1)
                        writer.int8(1)
                    }
                }
            }
            #expect(duplicate?.sqlState == "23505")
            let missing = #expect(throws: PostgresError.self) {
                try session.copyIn("nowhere", columns: ["id"]) { _ throws(PostgresError) in }
            }
            #expect(missing?.sqlState == "42P01")
            expectEqual(try session.execute(PostgresStatement("SELECT 1")).count, 1)
        }
    }

    @Test("a failed copy aborts its transaction")
    func inTransaction() async throws {
        try await withTable { session in
            let error = #expect(throws: PostgresError.self) {
                try session.transaction { session throws(PostgresError) in
                    let table = "odd \"name"
                    _ = try? session.copyIn(table, columns: ["id"]) { _ throws(PostgresError) in
                        throw PostgresError(.decoding, operation: "body")
                    }
                }
            }
            #expect(error?.sqlState == "25P02")
            let none = try session.copyIn("odd \"name", columns: ["id"]) { _ throws(PostgresError) in }
            #expect(none == 0)
        }
    }
}
