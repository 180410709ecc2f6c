import Glibc
import Synchronization

/// What others have of one of the library's threads, and the context of its callbacks.
final class LibraryWorker: Sendable {
    /// An accepted socket on its way to the library.
    struct Arrival {
        let socket: Int32
        let address: sockaddr_storage
        let length: socklen_t
        let peer: HTTPPeer

        init(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t, peer: HTTPPeer) {
            self.socket = socket
            self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
            self.peer = peer
            var storage = sockaddr_storage()
            memcpy(&storage, address, Int(self.length))
            self.address = storage
        }
    }

    let server: ServerCore
    let wake: WakeSignal

    private let connections = Atomic<Int>(0)
    private let arrivals = Mutex<[Arrival]>([])
    private let isStopRequested = Atomic<Bool>(false)
    /// Whether the library has told of the connection that it gets.
    private let isOpened = Atomic<Bool>(false)

    /// Nil when the process has no descriptor left.
    init?(_ server: ServerCore) {
        guard let wake = WakeSignal() else { return nil }
        self.server = server
        self.wake = wake
    }

    // MARK: Called by the server's thread

    /// How many connections it has or is about to get.
    var connectionCount: Int { connections.load(ordering: .relaxed) }

    func add(_ arrival: Arrival) {
        connections.wrappingAdd(1, ordering: .relaxed)
        arrivals.withLock { $0.append(arrival) }
        wake.signal()
    }

    func stop() {
        isStopRequested.store(true, ordering: .releasing)
        wake.signal()
    }

    // MARK: Called by its own thread

    var isStopping: Bool { isStopRequested.load(ordering: .acquiring) }

    func takeArrivals() -> [Arrival] {
        arrivals.withLock { arrivals in
            guard !arrivals.isEmpty else { return [] }
            defer { arrivals = [] }
            return arrivals
        }
    }

    /// The library is about to get a connection.
    func handing() {
        isOpened.store(false, ordering: .relaxed)
    }

    /// The library has taken it, or has closed it at once.
    func handed(_ arrival: Arrival, isTaken: Bool) {
        guard !isTaken else {
            server.counters.connectionsAccepted.wrappingAdd(1, ordering: .relaxed)
            return
        }
        server.refused()
        // A connection that was opened all the same was closed too.
        if !isOpened.load(ordering: .relaxed) { over(arrival.peer) }
    }

    func opened(_ library: LibraryConnection) -> ClientConnection {
        isOpened.store(true, ordering: .relaxed)
        let connection = ClientConnection(library, on: self)
        server.opened(connection)
        return connection
    }

    func closed(_ connection: ClientConnection) {
        server.closed(connection)
        over(connection.peer)
    }

    /// A connection is gone, or was not taken at all.
    func over(_ peer: HTTPPeer) {
        connections.wrappingSubtract(1, ordering: .relaxed)
        server.givePlaceBack(of: peer)
    }
}
