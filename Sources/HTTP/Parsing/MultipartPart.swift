/// The header of one part of a form.
public struct MultipartPart: Sendable, Equatable {
    /// The name of the form's field.
    public let name: String

    /// The file name the client gave, if any: text to show, never a path to use.
    public let fileName: String?

    /// The value of its Content-Type field, if any.
    public let contentType: String?

    /// The value of its Content-Digest field, if any (RFC 9530, for the octets of this part).
    public let contentDigest: String?

    /// Reads header lines without their last line end.
    init(header: ArraySlice<UInt8>) throws(MultipartError) {
        var disposition: String?
        var contentType: String?
        var contentDigest: String?
        for line in Self.lines(of: header) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), ASCII.isToken(line[..<colon]) else {
                throw .malformed
            }
            let value = ASCII.trimmed(line[(colon + 1)...])
            guard value.allSatisfy({ ASCII.isFieldValue($0) }) else { throw .malformed }
            let text = String(decoding: value, as: UTF8.self)
            if ASCII.isEqual(line[..<colon], "Content-Disposition".utf8) {
                guard disposition == nil else { throw .malformed }
                disposition = text
            } else if ASCII.isEqual(line[..<colon], "Content-Type".utf8) {
                guard contentType == nil else { throw .malformed }
                contentType = text
            } else if ASCII.isEqual(line[..<colon], "Content-Digest".utf8) {
                guard contentDigest == nil else { throw .malformed }
                contentDigest = text
            }
        }
        guard
            let parsed = disposition.flatMap({ ParameterizedValue($0) }),
            ASCII.isEqual(parsed.value.utf8, "form-data".utf8),
            let name = parsed.parameter("name")
        else { throw .malformed }
        self.name = name
        fileName = parsed.parameter("filename")
        self.contentType = contentType
        self.contentDigest = contentDigest
    }

    private static func lines(of header: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = header.startIndex
        var index = header.startIndex
        while index + 1 < header.endIndex {
            if header[index] == 0x0D, header[index + 1] == 0x0A {
                lines.append(header[start..<index])
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        if start < header.endIndex { lines.append(header[start...]) }
        return lines
    }
}
