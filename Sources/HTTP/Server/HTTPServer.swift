import Synchronization

/// An HTTP/1.1 server over libmicrohttpd.
///
/// A few threads poll sockets, read requests and write responses. A handler starts on such a thread and moves to the
/// cooperative pool when it first suspends; its connection is then taken out of the polling until the answer is there.
/// So a handler must not block, here as elsewhere in Swift concurrency. A handler whose client went away, or that takes
/// longer than the configuration allows, is cancelled. A client that closes its side of the connection while it waits
/// for an answer is taken for one that went away.
///
/// Requests that cannot be read at all (a malformed request line, chunk or Content-Length, a line beyond the memory of a
/// connection) are answered by the library, with a page of its own.
public final class HTTPServer: Sendable {
    private enum State {
        case idle
        case running(ServerThread, port: UInt16)
        case stopped
    }

    private let server: ServerCore
    private let control: ServerControl
    private let state = Mutex(State.idle)

    /// Makes a server that is not started yet.
    ///
    /// - Parameters:
    ///   - configuration: Address and limits.
    ///   - policy: Decides what becomes of a request's body, with the header alone; must not block.
    ///   - faultResponse: The answer to a request that breaks HTTP's rules or a limit, or whose handler took too long.
    ///   - handler: Answers a request; called for many requests at a time.
    /// - Throws: `HTTPServerError` when the configuration cannot be, or the process has no descriptor left.
    public init(
        configuration: HTTPServerConfiguration,
        policy: @escaping @Sendable (HTTPRequestHead) -> BodyPolicy = { _ in .collect(limit: 1024 * 1024) },
        faultResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse = { HTTPResponse($0) },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        if let fault = configuration.fault { throw .configuration(fault) }
        guard let wake = WakeSignal() else { throw .library }
        control = ServerControl(wake: wake)
        server = ServerCore(
            configuration: configuration,
            wake: wake,
            policy: policy,
            faultResponse: faultResponse,
            handler: handler
        )
    }

    deinit {
        control.stop(drainMilliseconds: 0)
    }

    /// Binds the address and begins to serve.
    ///
    /// - Throws: `HTTPServerError`, and then the server may be started again unless it was already.
    public func start() throws(HTTPServerError) {
        try state.withLock { state throws(HTTPServerError) in
            guard case .idle = state else { throw .alreadyStarted }
            let configuration = server.configuration
            let listener = try ListeningSocket(host: configuration.host, port: configuration.port)
            let port = listener.port
            let pool = try LibraryPool(server)
            let thread = ServerThread()
            let loop = ServerLoop(server: server, control: control, pool: pool, listener: listener)
            guard thread.start(loop) else { throw .library }
            state = .running(thread, port: port)
        }
    }

    /// The port it listens on; 0 before the start and after the stop.
    public var boundPort: UInt16 {
        state.withLock { state in
            if case .running(_, let port) = state { port } else { 0 }
        }
    }

    /// What it has done so far.
    public var counters: HTTPServerCounters { server.counters.snapshot }

    /// Stops: no new connections, running requests finish, their connections close; after the drain time limit what
    /// still runs is cancelled and cut.
    ///
    /// Returns when all threads have ended. A handler that ignores its cancellation may still run.
    public func stop() async {
        control.stop(drainMilliseconds: server.configuration.drainTimeLimit.milliseconds)
        let thread = state.withLock { state -> ServerThread? in
            guard case .running(let thread, _) = state else { return nil }
            return thread
        }
        await thread?.join()
        state.withLock { $0 = .stopped }
    }
}
