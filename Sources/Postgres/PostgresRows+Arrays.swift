extension PostgresRows {
    /// A `smallint[]` without NULLs.
    public func int2Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int16] {
        try integers(row, column, .int2s)
    }

    /// An `integer[]` without NULLs.
    public func int4Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int32] {
        try integers(row, column, .int4s)
    }

    /// A `bigint[]` without NULLs.
    public func int8Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64] {
        try integers(row, column, .int8s)
    }

    /// A `bigint[]`, NULLs kept.
    public func int8ArrayOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?]? {
        try elementsOrNull(row, column, .int8s) { $0.count == 8 ? Self.load($0, as: Int64.self) : nil }
    }

    /// A `boolean[]` without NULLs.
    public func boolArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Bool] {
        try elements(row, column, .bools) { $0.count == 1 ? $0[0] != 0 : nil }
    }

    /// A `double precision[]` without NULLs.
    public func float8Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Double] {
        try elements(row, column, .float8s) { field in
            field.count == 8 ? Double(bitPattern: Self.load(field, as: UInt64.self)) : nil
        }
    }

    /// A `text[]` without NULLs.
    public func textArray(_ row: Int, _ column: Int) throws(PostgresError) -> [String] {
        try elements(row, column, .texts) { String(validating: $0, as: UTF8.self) }
    }

    /// A `text[]`, NULLs kept.
    public func textArrayOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> [String?]? {
        try elementsOrNull(row, column, .texts) { String(validating: $0, as: UTF8.self) }
    }

    /// A `bytea[]` without NULLs.
    public func byteaArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]] {
        try elements(row, column, .byteas) { [UInt8]($0) }
    }

    /// A `uuid[]` without NULLs.
    public func uuidArray(_ row: Int, _ column: Int) throws(PostgresError) -> [(high: UInt64, low: UInt64)] {
        try elements(row, column, .uuids) { field in
            guard field.count == 16 else { return nil }
            return (high: Self.load(field, as: UInt64.self), low: Self.load(field, at: 8, as: UInt64.self))
        }
    }

    /// A `timestamptz[]` without NULLs, in microseconds since the Unix epoch.
    public func timestampArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64] {
        try elements(row, column, .timestamptzs) { field in
            field.count == 8 ? PostgresEpoch.unix(serverMicroseconds: Self.load(field, as: Int64.self)) : nil
        }
    }

    private func integers<T: FixedWidthInteger>(
        _ row: Int,
        _ column: Int,
        _ type: PostgresType
    ) throws(PostgresError) -> [T] {
        try elements(row, column, type) { field in
            field.count == MemoryLayout<T>.size ? Self.load(field, as: T.self) : nil
        }
    }

    private func elements<T>(
        _ row: Int,
        _ column: Int,
        _ type: PostgresType,
        _ decode: (UnsafeRawBufferPointer) -> T?
    ) throws(PostgresError) -> [T] {
        guard self.type(column) == type else { throw mismatch(row, column, "array") }
        var values: [T] = []
        try forEachElement(row, column, required(row, column)) { field throws(PostgresError) in
            guard let field, let value = decode(field) else { throw mismatch(row, column, "array element") }
            values.append(value)
        }
        return values
    }

    private func elementsOrNull<T>(
        _ row: Int,
        _ column: Int,
        _ type: PostgresType,
        _ decode: (UnsafeRawBufferPointer) -> T?
    ) throws(PostgresError) -> [T?]? {
        guard let array = try field(row, column) else { return nil }
        guard self.type(column) == type else { throw mismatch(row, column, "array") }
        var values: [T?] = []
        try forEachElement(row, column, array) { field throws(PostgresError) in
            guard let field else { return values.append(nil) }
            guard let value = decode(field) else { throw mismatch(row, column, "array element") }
            values.append(value)
        }
        return values
    }

    /// Walks the binary form (`array_send`) of an array with at most one dimension.
    private func forEachElement(
        _ row: Int,
        _ column: Int,
        _ array: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer?) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        let dimensions = Self.load(array, as: Int32.self)
        if dimensions == 0 { return }
        guard dimensions == 1 else { throw mismatch(row, column, "one dimension") }
        var offset = ArrayWriter.headerSize
        for _ in 0..<Self.load(array, at: 12, as: Int32.self) {
            let length = Int(Self.load(array, at: offset, as: Int32.self))
            offset += 4
            let end = offset + max(0, length)
            precondition(end <= array.count, "a binary array holds its elements")
            try body(length < 0 ? nil : UnsafeRawBufferPointer(rebasing: array[offset..<end]))
            offset = end
        }
    }
}
