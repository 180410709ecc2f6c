extension PostgresCopyWriter {
    /// NULL of any type.
    public mutating func null() {
        column()
        buffer.append(Int32(-1))
    }

    /// A `smallint`.
    public mutating func int2(_ value: Int16) {
        column()
        buffer.appendField(value)
    }

    /// An `integer`.
    public mutating func int4(_ value: Int32) {
        column()
        buffer.appendField(value)
    }

    /// A `bigint`.
    public mutating func int8(_ value: Int64) {
        column()
        buffer.appendField(value)
    }

    /// A `boolean`.
    public mutating func bool(_ value: Bool) {
        column()
        buffer.appendField(value ? UInt8(1) : 0)
    }

    /// A `double precision`.
    public mutating func float8(_ value: Double) {
        column()
        buffer.appendField(value.bitPattern)
    }

    /// A `timestamptz` in microseconds since the Unix epoch.
    public mutating func timestamptz(_ microsecondsSinceUnixEpoch: Int64) {
        int8(PostgresEpoch.server(microsecondsSinceUnixEpoch: microsecondsSinceUnixEpoch))
    }

    /// A `date` in days since the Unix epoch.
    public mutating func date(_ daysSinceUnixEpoch: Int32) {
        int4(PostgresEpoch.server(daysSinceUnixEpoch: daysSinceUnixEpoch))
    }

    /// A `uuid` from its two halves.
    public mutating func uuid(high: UInt64, low: UInt64) {
        column()
        buffer.append(Int32(16))
        buffer.append(high)
        buffer.append(low)
    }

    /// A `text` or `json`; one with a NUL fails the copy.
    public mutating func text(_ value: String) {
        characters(value, prefix: nil)
    }

    /// A `jsonb`; one with a NUL fails the copy.
    public mutating func jsonb(_ value: String) {
        characters(value, prefix: PostgresParameter.jsonbVersion)
    }

    /// A `jsonb` from UTF-8 that is already encoded.
    public mutating func jsonb(utf8 value: [UInt8]) {
        column()
        value.withUnsafeBytes { buffer.appendField($0, prefix: PostgresParameter.jsonbVersion) }
    }

    /// A `bytea`.
    public mutating func bytea(_ value: [UInt8]) {
        column()
        value.withUnsafeBytes { buffer.appendField($0) }
    }

    private mutating func characters(_ value: String, prefix: UInt8?) {
        column()
        var value = value
        let isWhole = value.withUTF8 { utf8 in
            buffer.appendField(UnsafeRawBufferPointer(utf8), prefix: prefix)
            return !PostgresParameter.containsNUL(utf8)
        }
        if !isWhole { fail("text with NUL") }
    }
}

extension PostgresCopyWriter {
    /// A `smallint` or NULL.
    public mutating func int2OrNull(_ value: Int16?) {
        if let value { int2(value) } else { null() }
    }

    /// An `integer` or NULL.
    public mutating func int4OrNull(_ value: Int32?) {
        if let value { int4(value) } else { null() }
    }

    /// A `bigint` or NULL.
    public mutating func int8OrNull(_ value: Int64?) {
        if let value { int8(value) } else { null() }
    }

    /// A `boolean` or NULL.
    public mutating func boolOrNull(_ value: Bool?) {
        if let value { bool(value) } else { null() }
    }

    /// A `timestamptz` in microseconds since the Unix epoch, or NULL.
    public mutating func timestamptzOrNull(_ value: Int64?) {
        if let value { timestamptz(value) } else { null() }
    }

    /// A `uuid` or NULL.
    public mutating func uuidOrNull(_ value: (high: UInt64, low: UInt64)?) {
        if let value { uuid(high: value.high, low: value.low) } else { null() }
    }

    /// A `text` or NULL.
    public mutating func textOrNull(_ value: String?) {
        if let value { text(value) } else { null() }
    }

    /// A `jsonb` or NULL.
    public mutating func jsonbOrNull(_ value: String?) {
        if let value { jsonb(value) } else { null() }
    }

    /// A `bytea` or NULL.
    public mutating func byteaOrNull(_ value: [UInt8]?) {
        if let value { bytea(value) } else { null() }
    }
}

extension PostgresCopyWriter {
    /// A `text[]`.
    public mutating func textArray(_ values: some Collection<String>) {
        parameter(.texts(values))
    }

    /// A `bigint[]`.
    public mutating func int8Array(_ values: some Collection<Int64>) {
        parameter(.int8s(values))
    }

    /// An `integer[]`.
    public mutating func int4Array(_ values: some Collection<Int32>) {
        parameter(.int4s(values))
    }

    /// A `smallint[]`.
    public mutating func int2Array(_ values: some Collection<Int16>) {
        parameter(.int2s(values))
    }

    /// Any value that can be bound, of the column's type.
    public mutating func parameter(_ value: PostgresParameter) {
        switch value.storage {
        case .null:
            null()
        case .inline(let high, let low, let count):
            column()
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
                buffer.appendField(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            }
        case .bytes(let bytes):
            column()
            bytes.withUnsafeBytes { buffer.appendField($0) }
        case .refused:
            null()
            fail("text with NUL")
        }
    }
}
