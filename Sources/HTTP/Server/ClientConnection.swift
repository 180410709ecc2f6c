import Glibc
import Synchronization

/// One connection, from its start to its close.
final class ClientConnection: Sendable {
    let library: LibraryConnection
    private let worker: LibraryWorker
    let descriptor: Int32
    let peer: HTTPPeer

    private struct Current {
        var exchange: Exchange?
        /// When the connection was opened or its last exchange ended.
        var quietSince = MonotonicClock.now()
        var isOpen = true
        /// How often in a row the client was found to have closed its side while something of it was expected.
        var looksWithoutClient = 0
        var lingers = false
    }

    private let current = Mutex(Current())

    init(_ library: LibraryConnection, on worker: LibraryWorker) {
        self.library = library
        self.worker = worker
        descriptor = library.descriptor
        peer = library.peer
    }

    func begin(_ exchange: Exchange) {
        current.withLock { current in
            current.exchange = exchange
            current.looksWithoutClient = 0
        }
    }

    func end(_ exchange: Exchange) {
        current.withLock { current in
            if current.exchange === exchange { current.exchange = nil }
            current.quietSince = MonotonicClock.now()
            current.looksWithoutClient = 0
        }
    }

    /// Takes the suspended connection up again.
    ///
    /// "If you are using this function in \"external\" sockets polling mode, you must make sure to run MHD_run() and
    /// MHD_get_timeout() afterwards": so its thread is woken.
    func resume() {
        library.resume()
        worker.wake.signal()
    }

    /// Its last response comes before its last octets: see `LingeringSockets`.
    func lingers() {
        current.withLock { $0.lingers = true }
    }

    /// The library is about to close the socket, and after this its number may be another's.
    ///
    /// - Returns: A duplicate of the descriptor when the connection is to linger.
    func closed() -> Int32? {
        current.withLock { current in
            current.isOpen = false
            current.exchange = nil
            guard current.lingers else { return nil }
            let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            return duplicate < 0 ? nil : duplicate
        }
    }

    var exchange: Exchange? {
        current.withLock { $0.exchange }
    }

    /// Looks at the time limits; tells whether the client should be looked for.
    func check(now: Int64, limits: ServerCore.Limits, counters: CounterSet) -> ClientPresence {
        let (exchange, quietSince) = current.withLock { ($0.exchange, $0.quietSince) }
        guard let exchange else {
            // The library ends a silent connection by itself; this ends one that sends a request line octet by octet.
            guard now - quietSince > limits.idle + limits.receive else { return .expected }
            counters.timeouts.wrappingAdd(1, ordering: .relaxed)
            current.withLock { $0.quietSince = now }
            shut()
            return .irrelevant
        }
        guard exchange.check(now: now) else { return exchange.presence }
        shut()
        return .irrelevant
    }

    /// The client has closed its side; returns what to do about it.
    func clientLeft(_ presence: ClientPresence) {
        let exchange = current.withLock { current -> Exchange? in
            guard current.isOpen else { return nil }
            if case .awaited(let exchange) = presence { return current.exchange === exchange ? exchange : nil }
            // The library may be about to see it by itself, or to find a complete request in what it has read.
            current.looksWithoutClient += 1
            if current.looksWithoutClient > 1, !hasUnread { shutdown(descriptor, Int32(SHUT_RDWR)) }
            return nil
        }
        guard let exchange else { return }
        exchange.abort()
        shut()
    }

    /// Whether octets wait to be read by the library.
    private var hasUnread: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Ends the connection; the library's thread sees that and closes it.
    func shut() {
        current.withLock { current in
            if current.isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
