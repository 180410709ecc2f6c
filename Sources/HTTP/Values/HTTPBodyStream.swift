import Synchronization

/// The body of a request as it arrives.
///
/// No more than some 64 KiB are read ahead: a handler that takes its time stops the client, not the server. It has one
/// reader; chunks are as large as they came and never empty.
public struct HTTPBodyStream: Sendable, AsyncSequence {
    /// Takes chunks in turn.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pull: @Sendable () async throws(HTTPBodyError) -> [UInt8]?

        /// The next chunk; nil at the end.
        ///
        /// - Throws: `HTTPBodyError` when the rest will not come.
        public mutating func next() async throws(HTTPBodyError) -> [UInt8]? {
            try await pull()
        }
    }

    private let pull: @Sendable () async throws(HTTPBodyError) -> [UInt8]?

    /// Makes a stream of chunks, for tests of handlers.
    public init(_ chunks: [[UInt8]]) {
        let rest = ChunkQueue(chunks.filter { !$0.isEmpty })
        pull = { () async throws(HTTPBodyError) in rest.next() }
    }

    init(pull: @escaping @Sendable () async throws(HTTPBodyError) -> [UInt8]?) {
        self.pull = pull
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `HTTPBodyError` when the rest will not come.
    public func next() async throws(HTTPBodyError) -> [UInt8]? {
        try await pull()
    }

    /// Makes an iterator; all iterators take from the same stream.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pull: pull)
    }
}

/// Chunks that are all there already.
private final class ChunkQueue: Sendable {
    private let chunks: Mutex<ArraySlice<[UInt8]>>

    init(_ chunks: [[UInt8]]) {
        self.chunks = Mutex(chunks[...])
    }

    func next() -> [UInt8]? {
        chunks.withLock { $0.popFirst() }
    }
}
