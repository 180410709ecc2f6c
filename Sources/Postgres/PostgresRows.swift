import CPostgres

/// The rows of one statement, read straight from libpq's memory.
///
/// Not `Sendable`: read it inside the session's closure and return values. Rows and columns count from 0. Every access
/// checks the column's type and throws `.decoding` on another type, a NULL or a position that does not exist.
public final class PostgresRows {
    let result: OpaquePointer

    /// How many rows came back.
    public let count: Int

    /// How many columns each row has.
    public let columnCount: Int

    /// Takes ownership.
    init(adopting result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit {
        PQclear(result)
    }

    /// How many rows the statement inserted, updated, deleted or returned.
    public var affected: Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// The position of a column by its name.
    public func column(_ name: String) throws(PostgresError) -> Int {
        for column in 0..<columnCount {
            if let found = PQfname(result, Int32(column)), String(cString: found) == name { return column }
        }
        throw PostgresError(.decoding, operation: "find column \(name)")
    }

    /// Whether a value is NULL.
    public func isNull(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        try check(row, column)
        return PQgetisnull(result, Int32(row), Int32(column)) == 1
    }

    /// The command tag, such as `COMMIT`.
    var commandTag: String {
        PQcmdStatus(result).map { String(cString: $0) } ?? ""
    }

    /// The type of a column.
    @inline(__always)
    func type(_ column: Int) -> PostgresType {
        PostgresType(PQftype(result, Int32(column)))
    }

    /// The octets of a value, alive as long as the rows; nil for NULL.
    @inline(__always)
    func field(_ row: Int, _ column: Int) throws(PostgresError) -> UnsafeRawBufferPointer? {
        try check(row, column)
        let length = PQgetlength(result, Int32(row), Int32(column))
        if length == 0, PQgetisnull(result, Int32(row), Int32(column)) == 1 { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(result, Int32(row), Int32(column)), count: Int(length))
    }

    /// The octets of a value that must not be NULL.
    @inline(__always)
    func required(_ row: Int, _ column: Int) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let field = try field(row, column) else { throw mismatch(row, column, "NULL") }
        return field
    }

    /// An error that names the place but not the value.
    func mismatch(_ row: Int, _ column: Int, _ what: String) -> PostgresError {
        PostgresError(.decoding, operation: "read row \(row) column \(column) (\(what))")
    }

    @inline(__always)
    private func check(_ row: Int, _ column: Int) throws(PostgresError) {
        if row < 0 || row >= count || column < 0 || column >= columnCount {
            throw mismatch(row, column, "no such position")
        }
    }
}

@available(*, unavailable)
extension PostgresRows: Sendable {}
