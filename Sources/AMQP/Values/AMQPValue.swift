/// A value in a header table or an argument table.
public enum AMQPValue: Sendable, Hashable {
    /// UTF-8 text.
    case string(String)
    /// Any of the integer widths of the protocol; unsigned 64-bit values above the range are clamped.
    case int(Int64)
    /// A truth value.
    case bool(Bool)
    /// A binary floating point number; a protocol decimal arrives as this too.
    case double(Double)
    /// Octets that are not text.
    case bytes([UInt8])
    /// Nested members by name.
    case table([String: AMQPValue])
    /// Nested values in order.
    case array([AMQPValue])
    /// Seconds since 1970-01-01 UTC.
    case timestamp(Int64)
    /// No value, or one nested deeper than ``maximumDepth``.
    case null

    /// How many tables and arrays may lie inside each other; deeper values are read as ``null``.
    public static let maximumDepth = 32
}

extension AMQPValue {
    /// The text of a string, nil for every other kind.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number of an integer or timestamp, nil for every other kind.
    public var intValue: Int64? {
        switch self {
        case .int(let value), .timestamp(let value): value
        case .string, .bool, .double, .bytes, .table, .array, .null: nil
        }
    }
}

extension AMQPValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Makes an integer.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }

    /// Makes a truth value.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}
