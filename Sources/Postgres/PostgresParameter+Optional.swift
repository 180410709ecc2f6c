extension PostgresParameter {
    /// A `smallint` or NULL.
    public static func int2OrNull(_ value: Int16?) -> Self { value.map { int2($0) } ?? null(.int2) }

    /// An `integer` or NULL.
    public static func int4OrNull(_ value: Int32?) -> Self { value.map { int4($0) } ?? null(.int4) }

    /// A `bigint` or NULL.
    public static func int8OrNull(_ value: Int64?) -> Self { value.map { int8($0) } ?? null(.int8) }

    /// A `boolean` or NULL.
    public static func boolOrNull(_ value: Bool?) -> Self { value.map { bool($0) } ?? null(.bool) }

    /// A `double precision` or NULL.
    public static func float8OrNull(_ value: Double?) -> Self { value.map { float8($0) } ?? null(.float8) }

    /// A `text` or NULL.
    public static func textOrNull(_ value: String?) -> Self { value.map { text($0) } ?? null(.text) }

    /// A `bytea` or NULL.
    public static func byteaOrNull(_ value: [UInt8]?) -> Self { value.map { bytea($0) } ?? null(.bytea) }

    /// A `json` or NULL.
    public static func jsonOrNull(_ value: String?) -> Self { value.map { json($0) } ?? null(.json) }

    /// A `jsonb` or NULL.
    public static func jsonbOrNull(_ value: String?) -> Self { value.map { jsonb($0) } ?? null(.jsonb) }

    /// A `uuid` or NULL.
    public static func uuidOrNull(_ value: (high: UInt64, low: UInt64)?) -> Self {
        value.map { uuid(high: $0.high, low: $0.low) } ?? null(.uuid)
    }

    /// A `timestamptz` or NULL.
    public static func timestamptzOrNull(microsecondsSinceUnixEpoch value: Int64?) -> Self {
        value.map { timestamptz(microsecondsSinceUnixEpoch: $0) } ?? null(.timestamptz)
    }

    /// A `timestamptz` or NULL, in microseconds since the Unix epoch.
    public static func timestamptzOrNull(_ value: Int64?) -> Self {
        timestamptzOrNull(microsecondsSinceUnixEpoch: value)
    }

    /// A `date` or NULL.
    public static func dateOrNull(daysSinceUnixEpoch value: Int32?) -> Self {
        value.map { date(daysSinceUnixEpoch: $0) } ?? null(.date)
    }
}
