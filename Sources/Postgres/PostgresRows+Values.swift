extension PostgresRows {
    /// A `smallint`.
    public func int2(_ row: Int, _ column: Int) throws(PostgresError) -> Int16 {
        try integer(row, column, required(row, column))
    }

    /// An `integer`, or a narrower one.
    public func int4(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
        try integer(row, column, required(row, column))
    }

    /// A `bigint`, or a narrower one.
    public func int8(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        try integer(row, column, required(row, column))
    }

    /// A `boolean`.
    public func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        try flag(row, column, required(row, column))
    }

    /// A `double precision`.
    public func float8(_ row: Int, _ column: Int) throws(PostgresError) -> Double {
        try double(row, column, required(row, column))
    }

    /// Text of any kind: `text`, `varchar`, `name`, `json`, `jsonb` and types of the user's such as enumerations.
    public func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
        try string(row, column, required(row, column))
    }

    /// The octets of a `bytea`, or the UTF-8 of any text.
    public func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        try [UInt8](octets(row, column, required(row, column)))
    }

    /// A `uuid`, in two halves.
    public func uuid(_ row: Int, _ column: Int) throws(PostgresError) -> (high: UInt64, low: UInt64) {
        try halves(row, column, required(row, column))
    }

    /// A `timestamptz` in microseconds since the Unix epoch; the infinities are `Int64.max` and `.min`.
    public func timestamp(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        try instant(row, column, required(row, column))
    }

    /// A `date` in days since the Unix epoch.
    public func date(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
        try day(row, column, required(row, column))
    }

    /// Calls with the octets of a `bytea` or text in place, without copying them.
    public func withBytes<R>(
        _ row: Int,
        _ column: Int,
        _ body: (UnsafeRawBufferPointer) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        try body(octets(row, column, required(row, column)))
    }
}

extension PostgresRows {
    /// A `smallint` or NULL.
    public func int2OrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Int16? {
        guard let field = try field(row, column) else { return nil }
        return try integer(row, column, field)
    }

    /// An `integer`, a narrower one or NULL.
    public func int4OrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Int32? {
        guard let field = try field(row, column) else { return nil }
        return try integer(row, column, field)
    }

    /// A `bigint`, a narrower one or NULL.
    public func int8OrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
        guard let field = try field(row, column) else { return nil }
        return try integer(row, column, field)
    }

    /// A `boolean` or NULL.
    public func boolOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Bool? {
        guard let field = try field(row, column) else { return nil }
        return try flag(row, column, field)
    }

    /// A `double precision` or NULL.
    public func float8OrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Double? {
        guard let field = try field(row, column) else { return nil }
        return try double(row, column, field)
    }

    /// Text of any kind or NULL.
    public func textOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> String? {
        guard let field = try field(row, column) else { return nil }
        return try string(row, column, field)
    }

    /// The octets of a `bytea`, the UTF-8 of any text, or NULL.
    public func bytesOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8]? {
        guard let field = try field(row, column) else { return nil }
        return try [UInt8](octets(row, column, field))
    }

    /// A `uuid` in two halves, or NULL.
    public func uuidOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> (high: UInt64, low: UInt64)? {
        guard let field = try field(row, column) else { return nil }
        return try halves(row, column, field)
    }

    /// A `timestamptz` in microseconds since the Unix epoch, or NULL.
    public func timestampOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
        guard let field = try field(row, column) else { return nil }
        return try instant(row, column, field)
    }

    /// A `date` in days since the Unix epoch, or NULL.
    public func dateOrNull(_ row: Int, _ column: Int) throws(PostgresError) -> Int32? {
        guard let field = try field(row, column) else { return nil }
        return try day(row, column, field)
    }
}
