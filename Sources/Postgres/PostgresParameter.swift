import Glibc

/// One bound value in the server's binary format, with its type.
///
/// Scalars of up to sixteen octets are kept inline, without an allocation.
public struct PostgresParameter: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        case null
        /// The first `count` octets of two words in network order, most significant first.
        case inline(high: UInt64, low: UInt64, count: Int)
        case bytes([UInt8])
        /// Text with a NUL: "text" cannot hold it, so execution throws before anything is sent.
        case refused
    }

    let type: PostgresType
    let storage: Storage

    @usableFromInline
    init(_ type: PostgresType, _ storage: Storage) {
        self.type = type
        self.storage = storage
    }

    init(_ type: PostgresType, word: UInt64, count: Int) {
        self.init(type, .inline(high: word << UInt64(64 - 8 * count), low: 0, count: count))
    }

    /// The NULL of a type.
    public static func null(_ type: PostgresType) -> Self { Self(type, .null) }

    /// A `smallint`.
    public static func int2(_ value: Int16) -> Self {
        Self(.int2, word: UInt64(UInt16(bitPattern: value)), count: 2)
    }

    /// An `integer`.
    public static func int4(_ value: Int32) -> Self {
        Self(.int4, word: UInt64(UInt32(bitPattern: value)), count: 4)
    }

    /// A `bigint`.
    public static func int8(_ value: Int64) -> Self { Self(.int8, word: UInt64(bitPattern: value), count: 8) }

    /// A `boolean`.
    public static func bool(_ value: Bool) -> Self { Self(.bool, word: value ? 1 : 0, count: 1) }

    /// A `double precision`.
    public static func float8(_ value: Double) -> Self { Self(.float8, word: value.bitPattern, count: 8) }

    /// A `timestamptz`; `Int64.max` and `.min` are the infinities.
    public static func timestamptz(microsecondsSinceUnixEpoch value: Int64) -> Self {
        let server = PostgresEpoch.server(microsecondsSinceUnixEpoch: value)
        return Self(.timestamptz, word: UInt64(bitPattern: server), count: 8)
    }

    /// A `date`.
    public static func date(daysSinceUnixEpoch value: Int32) -> Self {
        Self(.date, word: UInt64(UInt32(bitPattern: PostgresEpoch.server(daysSinceUnixEpoch: value))), count: 4)
    }

    /// A `uuid` from its two halves.
    public static func uuid(high: UInt64, low: UInt64) -> Self {
        Self(.uuid, .inline(high: high, low: low, count: 16))
    }

    /// A `text`; one with a NUL makes the execution throw `.encoding` before anything is sent.
    public static func text(_ value: String) -> Self { characters(.text, value) }

    /// A `json`; kept as written, checked by the server.
    public static func json(_ value: String) -> Self { characters(.json, value) }

    /// A `jsonb`; checked by the server.
    public static func jsonb(_ value: String) -> Self { characters(.jsonb, value, prefix: [jsonbVersion]) }

    /// A `jsonb` from UTF-8 that is already encoded; the server refuses what is not UTF-8.
    public static func jsonb(utf8 value: some Collection<UInt8>) -> Self {
        value.contains(0) ? Self(.jsonb, .refused) : Self(.jsonb, .bytes([jsonbVersion] + value))
    }

    /// A `bytea`.
    public static func bytea(_ value: [UInt8]) -> Self { Self(.bytea, .bytes(value)) }

    /// The octet in front of a binary `jsonb`.
    static let jsonbVersion: UInt8 = 1

    private static func characters(_ type: PostgresType, _ value: String, prefix: [UInt8] = []) -> Self {
        var value = value
        let bytes = value.withUTF8 { utf8 in containsNUL(utf8) ? nil : prefix + utf8 }
        return Self(type, bytes.map(Storage.bytes) ?? .refused)
    }

    @usableFromInline
    static func containsNUL(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = utf8.baseAddress else { return false }
        return memchr(base, 0, utf8.count) != nil
    }
}
