import Glibc
import Synchronization

/// What the server's thread does, from the first connection to the end of the library.
struct ServerLoop: ~Copyable {
    /// How often clocks and silent clients are looked at.
    private static let tick: Int64 = 200

    /// How long accepting rests when descriptors ran out.
    private static let pause: Int64 = 100

    private let server: ServerCore
    private let control: ServerControl
    private let pool: LibraryPool
    private var listener: ListeningSocket?
    private var lingering = LingeringSockets()
    private var nextTick: Int64 = 0
    private var pausedUntil: Int64 = 0

    init(
        server: ServerCore,
        control: ServerControl,
        pool: consuming LibraryPool,
        listener: consuming ListeningSocket
    ) {
        self.server = server
        self.control = control
        self.pool = pool
        self.listener = consume listener
    }

    consuming func run() {
        while !control.isStopRequested { turn() }
        // Clients that wait in the backlog see a refused connection and go elsewhere.
        listener = nil
        server.isDraining.store(true, ordering: .sequentiallyConsistent)
        let end = MonotonicClock.now() + control.drainMilliseconds
        while server.isBusy, MonotonicClock.now() < end { turn(until: end) }
        server.abortAll()
    }

    private mutating func turn(until end: Int64 = .max) {
        let now = MonotonicClock.now()
        if now >= nextTick {
            nextTick = now + Self.tick
            ClientWatch(server: server).look(now: now)
        }
        for descriptor in server.takeLingering() { lingering.add(descriptor, now: now) }
        let isAccepting = now >= pausedUntil
        var sockets = [pollfd(fd: server.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        switch listener {
        case .some(let listener) where isAccepting:
            sockets.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        default: sockets.append(pollfd(fd: -1, events: 0, revents: 0))
        }
        sockets += lingering.polled
        let deadline = min(nextTick, end, isAccepting ? .max : pausedUntil)
        let time = server.wake.beginWait() ? Int32(clamping: max(1, deadline - now)) : 0
        let count = poll(&sockets, nfds_t(sockets.count), time)
        server.wake.endWait(isReadable: count > 0 && sockets[0].revents != 0)
        if !lingering.isEmpty { lingering.drain(now: MonotonicClock.now()) }
        if count > 0, sockets[1].revents != 0 { acceptWaiting() }
    }

    /// Takes what waits, but not for ever: the clock must go on.
    private mutating func acceptWaiting() {
        switch listener {
        case .some(let listener):
            for _ in 0..<256 {
                let isTaken = listener.accept { take($0, $1, $2) }
                guard let isTaken else {
                    pausedUntil = MonotonicClock.now() + Self.pause
                    return
                }
                if !isTaken { return }
            }
        case .none: break
        }
    }

    /// Hands a connection to the library, unless there are as many as there may be.
    private func take(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
        let peer = HTTPPeer(address)
        guard server.takePlace(of: peer) else {
            close(socket)
            return server.refused()
        }
        pool.add(LibraryWorker.Arrival(socket, address, length, peer: peer))
    }
}
