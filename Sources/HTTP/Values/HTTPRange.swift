/// What a Range field asks of a representation of known length (RFC 9110 section 14).
public enum HTTPRange: Sendable, Equatable {
    /// Everything: no field, another unit, several ranges or a field that cannot be read.
    case whole
    /// One part, as offsets of octets.
    case part(Range<UInt64>)
    /// Nothing of what is asked exists: 416.
    case unsatisfiable

    /// Reads a field.
    ///
    /// A recipient may ignore a Range field; several ranges are ignored, since no client of byte-range downloads needs
    /// a multipart answer and many small ranges are a known way to make a server work.
    ///
    /// - Parameters:
    ///   - field: The value of the Range field, if there is one.
    ///   - length: The length of the whole representation.
    public init(_ field: String?, length: UInt64) {
        guard let field, let range = Self.singleRange(of: Array(field.utf8)) else {
            self = .whole
            return
        }
        switch range {
        case (.some(let first), let last):
            guard first < length else {
                self = .unsatisfiable
                return
            }
            self = .part(first..<(min(last ?? length, length - 1) + 1))
        case (nil, let count):
            // A suffix of no octets cannot be satisfied, nor can one of an empty representation.
            let count = min(count ?? 0, length)
            self = count == 0 ? .unsatisfiable : .part((length - count)..<length)
        }
    }

    /// First and last position, or no first and the length of a suffix; nil when it is to be ignored.
    private static func singleRange(of field: [UInt8]) -> (UInt64?, UInt64?)? {
        let unit = Array("bytes=".utf8)
        guard field.count > unit.count, ASCII.isEqual(field.prefix(unit.count), unit) else { return nil }
        let range = ASCII.trimmed(field.dropFirst(unit.count))
        guard let dash = range.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (head, tail) = (range[..<dash], range[(dash + 1)...])
        if head.isEmpty { return ASCII.decimal(tail).map { (nil, $0) } }
        guard let first = ASCII.decimal(head) else { return nil }
        if tail.isEmpty { return (first, nil) }
        guard let last = ASCII.decimal(tail), last >= first else { return nil }
        return (first, last)
    }
}
