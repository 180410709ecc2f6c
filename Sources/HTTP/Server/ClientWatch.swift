import Glibc

/// Looks at the time limits, and for clients that went away while the library does not look.
///
/// A look costs one system call for all connections; the many short exchanges between two looks cost nothing.
struct ClientWatch {
    /// POLLRDHUP of <poll.h>, which the Glibc module hides: the peer closed its side, whatever is still unread.
    private static let readHangUp: Int16 = 0x2000

    let server: ServerCore

    func look(now: Int64) {
        var watched: [(connection: ClientConnection, presence: ClientPresence)] = []
        for connection in server.allConnections {
            let presence = connection.check(now: now, limits: server.limits, counters: server.counters)
            if case .irrelevant = presence { continue }
            watched.append((connection, presence))
        }
        guard !watched.isEmpty else { return }
        var sockets = watched.map { pollfd(fd: $0.connection.descriptor, events: Self.readHangUp, revents: 0) }
        guard poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
        // A connection that is still open was open throughout, so the answer is about its socket and no other.
        for (watch, socket) in zip(watched, sockets) where socket.revents != 0 {
            watch.connection.clientLeft(watch.presence)
        }
    }
}
