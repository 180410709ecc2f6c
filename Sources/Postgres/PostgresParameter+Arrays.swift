extension PostgresParameter {
    /// A `smallint[]`.
    @inlinable
    public static func int2s(_ values: some Collection<Int16>) -> Self { integers(values, .int2, .int2s) }

    /// An `integer[]`.
    @inlinable
    public static func int4s(_ values: some Collection<Int32>) -> Self { integers(values, .int4, .int4s) }

    /// A `bigint[]`.
    @inlinable
    public static func int8s(_ values: some Collection<Int64>) -> Self { integers(values, .int8, .int8s) }

    /// A `smallint[]` with NULLs.
    @inlinable
    public static func int2sOrNull(_ values: some Collection<Int16?>) -> Self { integers(values, .int2, .int2s) }

    /// An `integer[]` with NULLs.
    @inlinable
    public static func int4sOrNull(_ values: some Collection<Int32?>) -> Self { integers(values, .int4, .int4s) }

    /// A `bigint[]` with NULLs.
    @inlinable
    public static func int8sOrNull(_ values: some Collection<Int64?>) -> Self { integers(values, .int8, .int8s) }

    /// A `boolean[]`.
    @inlinable
    public static func bools(_ values: some Collection<Bool>) -> Self {
        Self(.bools, .bytes(ArrayWriter.fixed(values, of: .bool, width: 1) { store($0 ? UInt8(1) : 0, $1) }))
    }

    /// A `double precision[]`.
    @inlinable
    public static func float8s(_ values: some Collection<Double>) -> Self {
        Self(.float8s, .bytes(ArrayWriter.fixed(values, of: .float8, width: 8) { store($0.bitPattern, $1) }))
    }

    /// A `uuid[]`.
    @inlinable
    public static func uuids(_ values: some Collection<(high: UInt64, low: UInt64)>) -> Self {
        Self(.uuids, .bytes(ArrayWriter.fixed(values, of: .uuid, width: 16) { store($0, $1) }))
    }

    /// A `uuid[]` with NULLs.
    @inlinable
    public static func uuidsOrNull(_ values: some Collection<(high: UInt64, low: UInt64)?>) -> Self {
        let bytes = ArrayWriter.fixed(values, of: .uuid, width: 16) { value, target in
            guard let value else { return false }
            return store(value, target)
        }
        return Self(.uuids, .bytes(bytes))
    }

    /// A `timestamptz[]` of microseconds since the Unix epoch.
    @inlinable
    public static func timestamptzs(_ values: some Collection<Int64>) -> Self {
        let bytes = ArrayWriter.fixed(values, of: .timestamptz, width: 8) { value, target in
            store(PostgresEpoch.server(microsecondsSinceUnixEpoch: value), target)
        }
        return Self(.timestamptzs, .bytes(bytes))
    }

    /// A `timestamptz[]` of microseconds since the Unix epoch, with NULLs.
    @inlinable
    public static func timestamptzsOrNull(_ values: some Collection<Int64?>) -> Self {
        let bytes = ArrayWriter.fixed(values, of: .timestamptz, width: 8) { value, target in
            guard let value else { return false }
            return store(PostgresEpoch.server(microsecondsSinceUnixEpoch: value), target)
        }
        return Self(.timestamptzs, .bytes(bytes))
    }

    @inlinable
    static func integers<T: FixedWidthInteger>(
        _ values: some Collection<T>,
        _ element: PostgresType,
        _ array: PostgresType
    ) -> Self {
        let width = MemoryLayout<T>.size
        return Self(array, .bytes(ArrayWriter.fixed(values, of: element, width: width) { store($0, $1) }))
    }

    @inlinable
    static func integers<T: FixedWidthInteger>(
        _ values: some Collection<T?>,
        _ element: PostgresType,
        _ array: PostgresType
    ) -> Self {
        let bytes = ArrayWriter.fixed(values, of: element, width: MemoryLayout<T>.size) { value, target in
            guard let value else { return false }
            return store(value, target)
        }
        return Self(array, .bytes(bytes))
    }

    @inlinable
    static func store<T: FixedWidthInteger>(_ value: T, _ target: UnsafeMutableRawPointer) -> Bool {
        target.storeBytes(of: value.bigEndian, as: T.self)
        return true
    }

    @inlinable
    static func store(_ value: (high: UInt64, low: UInt64), _ target: UnsafeMutableRawPointer) -> Bool {
        target.storeBytes(of: value.high.bigEndian, as: UInt64.self)
        (target + 8).storeBytes(of: value.low.bigEndian, as: UInt64.self)
        return true
    }
}
