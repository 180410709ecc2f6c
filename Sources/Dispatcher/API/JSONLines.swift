import HTTP

/// Cuts a body that comes in pieces into its lines; empty ones are left out, and one that is too long is as if it were broken.
struct JSONLines {
    struct Line {
        /// 1 for the first.
        let number: Int
        /// Nil when it is longer than it may be.
        let bytes: [UInt8]?
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var number = 0
    private var isTooLong = false

    /// - Parameter limit: The most octets of a line.
    init(limit: Int) {
        self.limit = limit
    }

    /// The lines that a piece completes.
    mutating func add(_ piece: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: 0x0A) {
            append(piece[start..<end])
            if let line = take() { lines.append(line) }
            start = end + 1
        }
        append(piece[start...])
        return lines
    }

    /// The last line, when the body does not end with a line break.
    mutating func finish() -> Line? { take() }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || rest.count + bytes.count > limit
        if isTooLong { rest = [] } else { rest += bytes }
    }

    private mutating func take() -> Line? {
        number += 1
        defer {
            rest = []
            isTooLong = false
        }
        if isTooLong { return Line(number: number, bytes: nil) }
        if rest.last == 0x0D { rest.removeLast() }
        return rest.isEmpty ? nil : Line(number: number, bytes: rest)
    }
}
