import Testing

@testable import Postgres

@Suite("Round trips", .enabled(if: TestDatabase.isAvailable), .timeLimit(.minutes(4)))
struct RoundTripTests {
    @Test("every scalar comes back as it went")
    func scalars() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                let rows = try session.execute(
                    PostgresStatement(
                        "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12",
                        [
                            .int2(-3), .int4(.min), .int8(.max), .bool(true), .text("é\u{1F600}"), .bytea([0, 255]),
                            .uuid(high: 1, low: .max), .timestamptz(microsecondsSinceUnixEpoch: 1_700_000_000_123_456),
                            .date(daysSinceUnixEpoch: 20_000), .float8(-0.5), .json("{\"a\": 1}"), .jsonb("[1]"),
                        ]
                    )
                )
                #expect(try rows.int2(0, 0) == -3)
                #expect(try rows.int4(0, 1) == .min)
                #expect(try rows.int8(0, 2) == .max)
                #expect(try rows.bool(0, 3))
                #expect(try rows.text(0, 4) == "é\u{1F600}")
                #expect(try rows.bytes(0, 5) == [0, 255])
                #expect(try rows.uuid(0, 6) == (1, .max))
                #expect(try rows.timestamp(0, 7) == 1_700_000_000_123_456)
                #expect(try rows.date(0, 8) == 20_000)
                #expect(try rows.float8(0, 9) == -0.5)
                #expect(try rows.text(0, 10) == "{\"a\": 1}")
                #expect(try rows.text(0, 11) == "[1]")
                #expect(rows.count == 1 && rows.columnCount == 12)
            }
        }
    }

    @Test("the server reads moments, days and identifiers as we mean them")
    func meaning() async throws {
        try await TestDatabase.withConnection { connection in
            let texts = try await connection.withSession { session throws(PostgresError) in
                let rows = try session.execute(
                    PostgresStatement(
                        "SELECT $1::text, $2::text, $3::text, $4::text",
                        [
                            .timestamptz(microsecondsSinceUnixEpoch: 0), .date(daysSinceUnixEpoch: 0),
                            .uuid(high: 0x0193_f2c4_0000_7000, low: 0x8000_0000_0000_0001),
                            .timestamptz(microsecondsSinceUnixEpoch: .max),
                        ]
                    )
                )
                return [try rows.text(0, 0), try rows.text(0, 1), try rows.text(0, 2), try rows.text(0, 3)]
            }
            #expect(
                texts == [
                    "1970-01-01 00:00:00+00", "1970-01-01", "0193f2c4-0000-7000-8000-000000000001", "infinity",
                ]
            )
        }
    }

    @Test("NULL comes back as nil and is refused where a value is asked for")
    func nulls() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                let rows = try session.execute(
                    PostgresStatement(
                        "SELECT $1, $2, $3, $4, $5, $6, $7",
                        [
                            .int8OrNull(nil), .textOrNull(nil), .timestamptzOrNull(nil), .byteaOrNull(nil),
                            .uuidOrNull(nil), .null(.texts), .textOrNull(""),
                        ]
                    )
                )
                #expect(try rows.int8OrNull(0, 0) == nil)
                #expect(try rows.textOrNull(0, 1) == nil)
                #expect(try rows.timestampOrNull(0, 2) == nil)
                #expect(try rows.bytesOrNull(0, 3) == nil)
                #expect(try rows.uuidOrNull(0, 4) == nil)
                #expect(try rows.textArrayOrNull(0, 5) == nil)
                #expect(try rows.textOrNull(0, 6) == "")
                #expect(try rows.isNull(0, 0))
                let error = #expect(throws: PostgresError.self) { try rows.int8(0, 0) }
                #expect(error?.kind == .decoding)
            }
        }
    }

    @Test("every array comes back as it went")
    func arrays() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                let rows = try session.execute(
                    PostgresStatement(
                        "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9",
                        [
                            .int2s([1, -1]), .int4s([]), .int8s([.min, .max]), .bools([true, false]),
                            .texts(["", "a,\"b\"", "NULL"]), .byteas([[], [0]]), .uuids([(high: 1, low: 2)]),
                            .timestamptzs([0, 5]), .float8s([1.5]),
                        ]
                    )
                )
                #expect(try rows.int2Array(0, 0) == [1, -1])
                #expect(try rows.int4Array(0, 1) == [])
                #expect(try rows.int8Array(0, 2) == [.min, .max])
                #expect(try rows.boolArray(0, 3) == [true, false])
                #expect(try rows.textArray(0, 4) == ["", "a,\"b\"", "NULL"])
                #expect(try rows.byteaArray(0, 5) == [[], [0]])
                let identifiers = try rows.uuidArray(0, 6)
                #expect(identifiers.count == 1 && identifiers[0] == (1, 2))
                #expect(try rows.timestampArray(0, 7) == [0, 5])
                #expect(try rows.float8Array(0, 8) == [1.5])
            }
        }
    }

    @Test("arrays keep their NULL elements in place")
    func arraysWithNulls() async throws {
        let parameters: [PostgresParameter] = [
            .int8sOrNull([1, nil]), .int4sOrNull([1, nil]), .int2sOrNull([1, nil]), .textsOrNull(["a", nil]),
            .byteasOrNull([[1], nil]), .timestamptzsOrNull([1, nil]), .uuidsOrNull([(high: 1, low: 1), nil]),
        ]
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                for parameter in parameters {
                    let sql = "SELECT cardinality($1), $1[1] IS NULL, $1[2] IS NULL"
                    let rows = try session.execute(PostgresStatement(sql, [parameter]))
                    #expect(try rows.int4(0, 0) == 2)
                    #expect(try !rows.bool(0, 1) && rows.bool(0, 2))
                }
                let rows = try session.execute(
                    PostgresStatement("SELECT $1, $2", Array(parameters[0...0] + parameters[3...3]))
                )
                #expect(try rows.int8ArrayOrNull(0, 0) == [1, nil])
                #expect(try rows.textArrayOrNull(0, 1) == ["a", nil])
                #expect(throws: PostgresError.self) { try rows.int8Array(0, 0) }
            }
        }
    }

    @Test("another type, width or place is a decoding error")
    func mismatches() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.withThrowingSession { session in
                let rows = try session.execute(PostgresStatement("SELECT 1::int8 AS a, 'x'::text AS b, 2::int2 AS c"))
                #expect(throws: PostgresError.self) { try rows.int4(0, 0) }
                #expect(throws: PostgresError.self) { try rows.int8(0, 1) }
                #expect(throws: PostgresError.self) { try rows.text(0, 0) }
                #expect(throws: PostgresError.self) { try rows.int8(1, 0) }
                #expect(throws: PostgresError.self) { try rows.int8(0, 3) }
                #expect(throws: PostgresError.self) { try rows.column("d") }
                #expect(try rows.int8(0, rows.column("c")) == 2)
            }
        }
    }
}
