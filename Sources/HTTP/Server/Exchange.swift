import CMicroHTTPD
import Synchronization

/// One request on one connection: the shell of `ExchangeState`.
///
/// The library's thread, the handler's task and the clock all come here; the lock orders them. Suspending and resuming
/// happen with the lock held, so a resume can neither come before its suspend nor after the request is over. The
/// library calls no callback with a lock of its own held, so the two locks are always taken in the same order.
final class Exchange: Sendable {
    struct Guarded {
        var state = ExchangeState()
        var head: HTTPRequestHead?
        var handlingSince: Int64?
        var answeredSince: Int64?
        var task: Task<Void, Never>?
        var isCancelled = false
        var reader: CheckedContinuation<Void, Never>?
        var feed: ResponseFeed?
        /// How long the request may take to arrive, in milliseconds, where it is not as long as others.
        var receiveLimit: Int64?
    }

    let server: ServerCore
    let connection: ClientConnection
    let rawTarget: [UInt8]
    let startedAt = MonotonicClock.now()
    let guarded = Mutex(Guarded())

    init(server: ServerCore, connection: ClientConnection, rawTarget: [UInt8]) {
        self.server = server
        self.connection = connection
        self.rawTarget = rawTarget
    }

    // MARK: Called by the library's thread

    /// The header is there, or the request is complete, or the connection was resumed.
    func advance(_ library: LibraryConnection, _ line: LibraryCallbacks.RequestLine) -> Bool {
        guard !server.isStopping.load(ordering: .acquiring) else { return false }
        let phase = guarded.withLock { $0.state.phase }
        switch phase {
        case .head: return begin(library, line)
        case .receiving, .handling: return answer(library)
        case .answered, .over: return true
        }
    }

    /// A piece of the body is there; returns how many octets are left for later, or nil to close the connection.
    func upload(_ bytes: UnsafeRawBufferPointer, _ library: LibraryConnection) -> Int? {
        let (step, reader) = guarded.withLock { guarded in
            let step = server.isStopping.load(ordering: .acquiring) ? .abort : guarded.state.upload(bytes)
            if step == .takenThenSuspend { library.suspend() }
            return (step, guarded.reader.take())
        }
        reader?.resume()
        switch step {
        case .taken, .takenThenSuspend:
            server.counters.bytesReceived.wrappingAdd(bytes.count, ordering: .relaxed)
            return 0
        case .left: return bytes.count
        case .abort: return nil
        }
    }

    /// The request is over: answered, or its connection lost.
    func finish(isComplete: Bool) {
        let (isHandled, task, reader) = guarded.withLock { guarded in
            let isHandled = guarded.state.finish()
            guarded.isCancelled = isHandled
            guarded.feed = nil
            return (isHandled, isHandled ? guarded.task.take() : nil, guarded.reader.take())
        }
        reader?.resume()
        task?.cancel()
        if isHandled || !isComplete { server.counters.disconnects.wrappingAdd(1, ordering: .relaxed) }
    }

    private func answer(_ library: LibraryConnection) -> Bool {
        let (step, reader) = guarded.withLock { guarded in
            let step = guarded.state.complete { server.faultResponse(.contentTooLarge) }
            if guarded.handlingSince == nil { guarded.handlingSince = MonotonicClock.now() }
            suspend(if: step, library)
            return (step, guarded.reader.take())
        }
        reader?.resume()
        guard case .start(let body) = step else { return perform(step, library) }
        startHandler(.bytes(body))
        let settled = guarded.withLock { guarded in
            let step = guarded.state.settle()
            suspend(if: step, library)
            return step
        }
        return perform(settled, library)
    }

    private func perform(_ step: ExchangeState.AnswerStep, _ library: LibraryConnection) -> Bool {
        switch step {
        case .answer(let response): send(response, library)
        case .suspend: true
        case .start, .abort: false
        }
    }

    private func suspend(if step: ExchangeState.AnswerStep, _ library: LibraryConnection) {
        if case .suspend = step { library.suspend() }
    }

    func send(_ response: HTTPResponse, _ library: LibraryConnection) -> Bool {
        let feed = feed(of: response)
        guarded.withLock { guarded in
            guarded.answeredSince = MonotonicClock.now()
            guarded.feed = feed
        }
        let closes = server.isDraining.load(ordering: .relaxed)
        guard let made = LibraryResponse(response, feed: feed, closes: closes) else { return false }
        server.counters.responses.wrappingAdd(1, ordering: .relaxed)
        server.counters.bytesSent.wrappingAdd(Int(clamping: response.body.count), ordering: .relaxed)
        return made.queue(on: library, status: response.status)
    }

    private func feed(of response: HTTPResponse) -> ResponseFeed? {
        guard case .stream(let stream) = response.body else { return nil }
        return ResponseFeed(stream, on: connection, server: server)
    }

    // MARK: The handler

    /// Starts the handler on this thread; at its first suspension it moves to the cooperative pool.
    ///
    /// Most handlers either answer at once, and then neither a thread change nor a suspended connection is needed, or
    /// wait for something soon.
    func startHandler(_ body: HTTPRequest.Body) {
        guard let head = guarded.withLock({ $0.head }) else { return }
        let task = Task.immediate { [self] in
            handlerReturned(await server.handler(HTTPRequest(head: head, body: body)))
        }
        let isCancelled = guarded.withLock { guarded in
            if guarded.state.needsResponse { guarded.task = task }
            return guarded.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func handlerReturned(_ response: HTTPResponse) {
        guarded.withLock { guarded in
            guarded.task = nil
            // What comes of the body now is for nothing, and gets no more time than any other.
            guarded.receiveLimit = nil
            if guarded.state.handlerReturned(response) { connection.resume() }
        }
    }
}
