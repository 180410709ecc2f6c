import CMicroHTTPD
import Glibc
import Synchronization

/// A streamed response on its way to the library, which asks for octets when it can send some.
///
/// "It is recommended to suspend connection processing with MHD_suspend_connection() to avoid busy waiting": so a
/// connection is suspended while the next piece is made. Both happen with the lock held, as in `Exchange`; the library
/// holds the response's lock when it asks, and takes none of ours within its own.
final class ResponseFeed: Sendable {
    private struct State {
        var piece: [UInt8] = []
        var position = 0
        var isEnded = false
        var isFailed = false
        var isAsking = false
        var isSuspended = false
        /// The library has let go of the response, and perhaps of the connection.
        var isOver = false
        var task: Task<Void, Never>?
    }

    private let stream: HTTPResponseStream
    private let connection: ClientConnection
    private let server: ServerCore
    private let state = Mutex(State())

    /// How many octets the library takes at a time.
    private static let blockSize = 32 * 1024

    init(_ stream: HTTPResponseStream, on connection: ClientConnection, server: ServerCore) {
        self.stream = stream
        self.connection = connection
        self.server = server
    }

    /// The response in the library's form, which keeps this feed alive; nil without memory.
    func makeResponse() -> OpaquePointer? {
        let context = Unmanaged.passRetained(self)
        let response = MHD_create_response_from_callback(
            UInt64.max,
            Self.blockSize,
            Self.reader,
            context.toOpaque(),
            Self.release
        )
        if response == nil { context.release() }
        return response
    }

    /// Ends it without the rest: the client is gone, too slow, or the server stops.
    func abort() {
        let task = state.withLock { state in
            state.isFailed = true
            state.piece = []
            state.position = 0
            resume(&state)
            return state.task.take()
        }
        task?.cancel()
    }

    // MARK: The library's side

    /// "number of bytes written to buf"; the end of the stream, or an error, which closes the connection.
    private static let reader: MHD_ContentReaderCallback = { context, _, buffer, limit in
        guard let context, let buffer else { return failure }
        let feed = Unmanaged<ResponseFeed>.fromOpaque(context).takeUnretainedValue()
        return feed.read(UnsafeMutableRawBufferPointer(start: buffer, count: limit))
    }

    private static let release: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        Unmanaged<ResponseFeed>.fromOpaque(context).takeRetainedValue().end()
    }

    /// MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR, macros that Swift does not see.
    private static let endOfStream = -1
    private static let failure = -2

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, asks) = state.withLock { state -> (Int, Bool) in
            guard !state.isFailed, !server.isStopping.load(ordering: .acquiring) else { return (Self.failure, false) }
            if state.position < state.piece.count { return (Self.copy(&state, to: buffer), false) }
            if state.isEnded { return (Self.endOfStream, false) }
            state.isSuspended = true
            connection.library.suspend()
            defer { state.isAsking = true }
            return (0, !state.isAsking)
        }
        if count > 0 { server.counters.bytesSent.wrappingAdd(count, ordering: .relaxed) }
        if asks { ask() }
        return count
    }

    private static func copy(_ state: inout State, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, state.piece.count - state.position)
        state.piece.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[state.position..<(state.position + count)]))
        }
        state.position += count
        return count
    }

    /// The library is done with it.
    private func end() {
        let task = state.withLock { state in
            state.isOver = true
            state.isSuspended = false
            return state.task.take()
        }
        task?.cancel()
    }

    // MARK: The maker's side

    private func ask() {
        let task = Task { [self] in
            do {
                var piece = try await stream.next()
                // An empty piece would say "nothing yet" to the library, over and over.
                while piece?.isEmpty == true { piece = try await stream.next() }
                take(piece)
            } catch {
                take(nil, isFailed: true)
            }
        }
        let isLate = state.withLock { state in
            if state.isAsking { state.task = task }
            return state.isOver || state.isFailed
        }
        if isLate { task.cancel() }
    }

    private func take(_ piece: [UInt8]?, isFailed: Bool = false) {
        state.withLock { state in
            state.isAsking = false
            state.task = nil
            state.piece = piece ?? []
            state.position = 0
            state.isEnded = piece == nil
            state.isFailed = state.isFailed || isFailed
            resume(&state)
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended, !state.isOver else { return }
        state.isSuspended = false
        connection.resume()
    }
}
