/// Reads JSON by the letter of RFC 8259, refusing what readers disagree about.
///
/// No byte order mark, comment or trailing comma; no member name twice (JSONDecoder takes the first, PostgreSQL the last);
/// no U+0000 and no lone surrogate (no text column holds them); no bytes that are not UTF-8; no number a double cannot hold
/// (`1e100000` would be 100 KB as a PostgreSQL numeric).
public enum JSONParser {
    /// Reads one document that fills `bytes`, white space aside.
    public static func parse(
        _ bytes: [UInt8],
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else {
            throw JSONError(code: .tooLarge, offset: limits.bytes, expected: "at most \(limits.bytes) bytes")
        }
        return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> JSONValue in
            var reader = JSONReader(bytes: buffer, depthLimit: limits.depth)
            return try reader.document()
        }
    }
}
