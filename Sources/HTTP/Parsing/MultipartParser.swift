/// Reads a multipart/form-data body piece by piece (RFC 7578, RFC 2046 section 5.1).
///
/// Octets of a part are handed on as they come; what is kept is a part's header, or as much as may be the beginning of
/// a delimiter. Line ends are CRLF only.
public struct MultipartParser: Sendable {
    /// What was read.
    public enum Event: Sendable, Equatable {
        /// A part begins.
        case partBegan(MultipartPart)
        /// Octets of the part.
        case data([UInt8])
        /// The part is complete.
        case partEnded
    }

    /// How much a body may ask for besides its parts' octets.
    public struct Limits: Sendable {
        /// The most parts.
        public var parts = 32
        /// The most octets of a part's header.
        public var headerBytes = 4096
        /// The most octets before the first delimiter, which should be none.
        public var preambleBytes = 1024

        /// Makes the default limits.
        public init() {}
    }

    private enum State {
        case preamble
        case delimiter
        case header
        case body
        case epilogue
    }

    private let limits: Limits
    /// CRLF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// A delimiter at the very start has no line end before it; this one stands for it.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    private var position = 0
    /// Up to where the buffer has been searched without success.
    private var searched = 0
    private var partCount = 0
    /// Octets at the position that are a line end of the header, not yet of the part.
    private var bodyStart = 0

    /// Makes a parser.
    ///
    /// - Throws: `MultipartError.invalidBoundary`.
    public init(boundary: String, limits: Limits = Limits()) throws(MultipartError) {
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy({ Self.isBoundaryCharacter($0) }), bytes.last != 0x20
        else { throw .invalidBoundary }
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + bytes
        self.limits = limits
    }

    /// Makes a parser for a body of a Content-Type.
    ///
    /// - Throws: `MultipartError.invalidBoundary` unless it is multipart/form-data with a boundary.
    public init(contentType: String?, limits: Limits = Limits()) throws(MultipartError) {
        guard
            let type = contentType.flatMap({ MediaType($0) }), type.essence == "multipart/form-data",
            let boundary = type.parameter("boundary")
        else { throw .invalidBoundary }
        try self.init(boundary: boundary, limits: limits)
    }

    /// Reads the next piece of the body.
    ///
    /// - Throws: `MultipartError`, after which the parser is of no more use.
    public mutating func read(_ bytes: [UInt8]) throws(MultipartError) -> [Event] {
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        while try step(&events) {}
        buffer.removeSubrange(..<position)
        searched = max(0, searched - position)
        position = 0
        return events
    }

    /// The body has ended.
    ///
    /// - Throws: `MultipartError.truncated` unless the closing delimiter was read.
    public func finish() throws(MultipartError) {
        guard case .epilogue = state else { throw .truncated }
    }

    /// Takes one step; false when more octets are needed.
    private mutating func step(_ events: inout [Event]) throws(MultipartError) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .delimiter: return try readDelimiterEnd()
        case .header: return try readHeader(&events)
        case .body: return readBody(&events)
        case .epilogue:
            position = buffer.count
            return false
        }
    }

    private mutating func skipPreamble() throws(MultipartError) -> Bool {
        guard let start = find(delimiter) else {
            guard buffer.count - position <= limits.preambleBytes + delimiter.count else { throw .limit }
            return false
        }
        guard start - position <= limits.preambleBytes else { throw .limit }
        enter(.delimiter, at: start + delimiter.count)
        return true
    }

    /// After the boundary: two hyphens at the end of the body, else blanks and a line end.
    private mutating func readDelimiterEnd() throws(MultipartError) -> Bool {
        let rest = buffer[position...]
        guard rest.count >= 2 else { return false }
        if rest.starts(with: [0x2D, 0x2D]) {
            enter(.epilogue, at: position + 2)
            return true
        }
        let end = rest.firstIndex { !ASCII.isBlank($0) } ?? rest.endIndex
        guard end - position <= 64 else { throw .malformed }
        guard end + 1 < buffer.count else { return false }
        guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw .malformed }
        partCount += 1
        guard partCount <= limits.parts else { throw .limit }
        enter(.header, at: end + 2)
        return true
    }

    private mutating func readHeader(_ events: inout [Event]) throws(MultipartError) -> Bool {
        guard let end = find([0x0D, 0x0A, 0x0D, 0x0A]) else {
            guard buffer.count - position <= limits.headerBytes else { throw .limit }
            return false
        }
        guard end - position <= limits.headerBytes else { throw .limit }
        events.append(.partBegan(try MultipartPart(header: buffer[position..<end])))
        // The line end of an empty line may be that of the delimiter of an empty part.
        enter(.body, at: end + 2)
        bodyStart = 2
        return true
    }

    private mutating func readBody(_ events: inout [Event]) -> Bool {
        if let start = find(delimiter) {
            emit(upTo: start, &events)
            events.append(.partEnded)
            bodyStart = 0
            enter(.delimiter, at: start + delimiter.count)
            return true
        }
        let safe = buffer.count - (delimiter.count - 1)
        if safe > position + bodyStart {
            emit(upTo: safe, &events)
            position = safe
            bodyStart = 0
        }
        return false
    }

    private func emit(upTo end: Int, _ events: inout [Event]) {
        guard end > position + bodyStart else { return }
        events.append(.data(Array(buffer[(position + bodyStart)..<end])))
    }

    private mutating func enter(_ state: State, at position: Int) {
        self.state = state
        self.position = position
        searched = position
    }

    /// Searches what has not been searched yet; each octet is looked at a bounded number of times.
    private mutating func find(_ pattern: [UInt8]) -> Int? {
        let from = max(position, searched)
        let last = buffer.count - pattern.count
        guard from <= last else { return nil }
        let found = buffer.withUnsafeBufferPointer { bytes in
            (from...last).first { index in
                bytes[index] == pattern[0] && pattern.indices.allSatisfy { bytes[index + $0] == pattern[$0] }
            }
        }
        searched = found ?? last + 1
        return found
    }

    private static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " '()+_,-./:=?".utf8.contains(byte)
        }
    }
}
