/// Writes the rows of one binary COPY: `row(columns:)`, then each column's value in order.
///
/// No call throws, so that a row costs tens of nanoseconds: the first failure is kept, what follows is dropped, and
/// `copyIn` throws it at the end. A long body may look at `hasFailed`.
public struct PostgresCopyWriter: ~Copyable {
    var buffer: WireBuffer
    private let handle: PostgresHandle
    private let operation: Operation
    private var failure: PostgresError?
    private var columnsLeft = 0

    /// Data goes out in pieces of this many octets, at the end of a row.
    private static let pieceSize = 64 * 1024

    init(handle: PostgresHandle, operation: Operation) {
        self.handle = handle
        self.operation = operation
        buffer = WireBuffer(capacity: Self.pieceSize + 4096)
        // Signature, flags, length of the header extension.
        let signature = [UInt8]("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
        signature.withUnsafeBytes { buffer.append($0) }
        buffer.append(Int64(0))
    }

    /// Whether the copy has failed already and writing more is in vain.
    public var hasFailed: Bool { failure != nil }

    /// Begins a row.
    public mutating func row(columns: Int) {
        if columnsLeft != 0 { fail("row with other columns than announced") }
        columnsLeft = columns
        if buffer.count >= Self.pieceSize { put() }
        buffer.append(Int16(truncatingIfNeeded: columns))
    }

    /// Counts a column that is being written.
    @inline(__always)
    mutating func column() {
        columnsLeft -= 1
    }

    /// Keeps the first failure.
    mutating func fail(_ what: String) {
        failure = failure ?? PostgresError(.encoding, operation: "\(operation.text) (\(what))")
    }

    /// Sends the rest and the end mark.
    mutating func finish() throws(PostgresError) {
        if columnsLeft != 0 { fail("row with other columns than announced") }
        buffer.append(Int16(-1))
        put()
        if let failure { throw failure }
    }

    private mutating func put() {
        defer { buffer.removeAll() }
        guard failure == nil else { return }
        do throws(PostgresError) {
            try handle.putCopy(buffer.bytes, operation)
        } catch {
            failure = error
        }
    }
}
