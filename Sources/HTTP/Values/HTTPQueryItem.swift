/// One `name=value` of a query.
public struct HTTPQueryItem: Sendable, Equatable {
    /// The name, decoded.
    public let name: String

    /// The value, decoded; empty when there is no equals sign.
    public let value: String

    /// The item as it was sent.
    public let raw: [UInt8]

    /// Splits a query at its ampersands; empty items are left out, a plus sign is a space.
    static func items(of query: ArraySlice<UInt8>) throws(HTTPTargetError) -> [HTTPQueryItem] {
        var items: [HTTPQueryItem] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "="))
            let name = try PercentEncoding.decode(item[..<(equals ?? item.endIndex)], plusIsSpace: true)
            let value = try equals.map { index throws(HTTPTargetError) in
                try PercentEncoding.decode(item[(index + 1)...], plusIsSpace: true)
            }
            items.append(HTTPQueryItem(name: name, value: value ?? "", raw: Array(item)))
        }
        return items
    }
}
