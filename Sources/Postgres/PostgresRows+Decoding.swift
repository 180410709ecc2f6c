/// The binary forms of the types, each checked against the column's type.
extension PostgresRows {
    @inline(__always)
    func integer<T: FixedWidthInteger>(
        _ row: Int,
        _ column: Int,
        _ field: UnsafeRawBufferPointer
    ) throws(PostgresError) -> T {
        let value: T? =
            switch type(column) {
            case .int2: T(exactly: Self.load(field, as: Int16.self))
            case .int4: T(exactly: Self.load(field, as: Int32.self))
            case .int8: T(exactly: Self.load(field, as: Int64.self))
            case .oid: T(exactly: Self.load(field, as: UInt32.self))
            default: nil
            }
        guard let value, type(column).integerWidth <= MemoryLayout<T>.size else {
            throw mismatch(row, column, "integer of \(MemoryLayout<T>.size) octets")
        }
        return value
    }

    @inline(__always)
    func flag(_ row: Int, _ column: Int, _ field: UnsafeRawBufferPointer) throws(PostgresError) -> Bool {
        guard type(column) == .bool, field.count == 1 else { throw mismatch(row, column, "bool") }
        return field[0] != 0
    }

    func double(_ row: Int, _ column: Int, _ field: UnsafeRawBufferPointer) throws(PostgresError) -> Double {
        guard type(column) == .float8 else { throw mismatch(row, column, "float8") }
        return Double(bitPattern: Self.load(field, as: UInt64.self))
    }

    func halves(
        _ row: Int,
        _ column: Int,
        _ field: UnsafeRawBufferPointer
    ) throws(PostgresError) -> (high: UInt64, low: UInt64) {
        guard type(column) == .uuid, field.count == 16 else { throw mismatch(row, column, "uuid") }
        return (Self.load(field, as: UInt64.self), Self.load(field, at: 8, as: UInt64.self))
    }

    func instant(_ row: Int, _ column: Int, _ field: UnsafeRawBufferPointer) throws(PostgresError) -> Int64 {
        guard type(column) == .timestamptz else { throw mismatch(row, column, "timestamptz") }
        return PostgresEpoch.unix(serverMicroseconds: Self.load(field, as: Int64.self))
    }

    func day(_ row: Int, _ column: Int, _ field: UnsafeRawBufferPointer) throws(PostgresError) -> Int32 {
        guard type(column) == .date else { throw mismatch(row, column, "date") }
        return PostgresEpoch.unix(serverDays: Self.load(field, as: Int32.self))
    }

    func string(_ row: Int, _ column: Int, _ field: UnsafeRawBufferPointer) throws(PostgresError) -> String {
        let utf8 = try characters(row, column, field)
        guard let text = String(validating: utf8, as: UTF8.self) else { throw mismatch(row, column, "UTF-8") }
        return text
    }

    func octets(
        _ row: Int,
        _ column: Int,
        _ field: UnsafeRawBufferPointer
    ) throws(PostgresError) -> UnsafeRawBufferPointer {
        type(column) == .bytea ? field : try characters(row, column, field)
    }

    private func characters(
        _ row: Int,
        _ column: Int,
        _ field: UnsafeRawBufferPointer
    ) throws(PostgresError) -> UnsafeRawBufferPointer {
        switch type(column) {
        case .text, .varchar, .bpchar, .name, .json, .unknown:
            return field
        case .jsonb where field.first == PostgresParameter.jsonbVersion:
            return UnsafeRawBufferPointer(rebasing: field.dropFirst())
        case let other where other.oid >= PostgresType.firstUserOID:
            return field
        default:
            throw mismatch(row, column, "text")
        }
    }

    /// An integer in network order; the server sends the width its type has.
    @inline(__always)
    static func load<T: FixedWidthInteger>(
        _ field: UnsafeRawBufferPointer,
        at offset: Int = 0,
        as: T.Type
    ) -> T {
        precondition(field.count >= offset + MemoryLayout<T>.size, "a binary value has the width of its type")
        return T(bigEndian: field.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}

extension PostgresType {
    /// The octets of an integer type.
    fileprivate var integerWidth: Int {
        switch self {
        case .int2: 2
        case .int4: 4
        default: 8
        }
    }
}
