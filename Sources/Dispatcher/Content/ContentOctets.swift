import HTTP

/// The octets of a content, ready to be sent as often as wanted.
enum ContentOctets: Sendable {
    case memory([UInt8])
    case file(HTTPFile, count: Int)

    var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(_, let count): count
        }
    }

    /// A part of them.
    func body(_ range: Range<UInt64>) -> HTTPResponse.Body {
        switch self {
        case .file(let file, _): .file(file, range)
        case .memory(let bytes):
            range.count == bytes.count
                ? .bytes(bytes) : .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }
}
