import Testing

@testable import Postgres

@Suite("PostgresParameter")
struct PostgresParameterTests {
    private func wire(_ parameter: PostgresParameter) -> [UInt8]? {
        switch parameter.storage {
        case .null, .refused: nil
        case .bytes(let bytes): bytes
        case .inline(let high, let low, let count):
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0.prefix(count)) }
        }
    }

    @Test("scalars are in network order")
    func scalars() {
        #expect(wire(.int2(-2)) == [0xFF, 0xFE])
        #expect(wire(.int4(1)) == [0, 0, 0, 1])
        #expect(wire(.int8(0x0102)) == [0, 0, 0, 0, 0, 0, 1, 2])
        #expect(wire(.bool(true)) == [1])
        #expect(wire(.uuid(high: 1, low: 2)) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])
        #expect(wire(.timestamptz(microsecondsSinceUnixEpoch: 946_684_800_000_000)) == [UInt8](repeating: 0, count: 8))
        #expect(wire(.date(daysSinceUnixEpoch: 10_958)) == [0, 0, 0, 1])
        #expect(wire(.jsonb("{}")) == [1, 0x7B, 0x7D])
        #expect(wire(.text("")) == [])
    }

    @Test("an array has header, lengths and NULLs")
    func arrays() {
        let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 21, 0, 0, 0, 2, 0, 0, 0, 1]
        #expect(wire(.int2sOrNull([7, nil])) == header + [0, 0, 0, 2, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(wire(.texts([])) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 25])
    }

    @Test("text with a NUL is marked, not cut")
    func nul() throws {
        for parameter in [.text("a\0b"), .jsonb("\0"), .texts(["a", "\0"]), .textsOrNull(["\0"])] as [PostgresParameter]
        {
            let error = #expect(throws: PostgresError.self) {
                try PostgresStatement("SELECT $1", [parameter]).validate(operation: "x")
            }
            #expect(error?.kind == .encoding)
        }
    }

    @Test("moments beyond the server's range are its infinities", arguments: [Int64.min, .max, 0, -1])
    func epoch(value: Int64) {
        let server = PostgresEpoch.server(microsecondsSinceUnixEpoch: value)
        #expect(PostgresEpoch.unix(serverMicroseconds: server) == value)
    }
}
