import Foundation
import Synchronization

/// A TCP proxy before a server, which can cut its connections and refuse new ones, as a server that is away does.
final class Proxy: Sendable {
    let port: Int
    private let target: UInt16
    private let state = Mutex(State())

    private struct State {
        var listener: Int32 = -1
        var pairs: [(Int32, Int32)] = []
        var isAway = false
        var mustCut = false
        var isFrozen = false
        var isStopping = false
        var accepted = 0
    }

    init(to port: Int) throws {
        target = UInt16(port)
        let listener = try Self.listen(port: 0)
        self.port = Self.localPort(listener)
        state.withLock { $0.listener = listener }
        // A thread of its own: it blocks in poll.
        Thread.detachNewThread { self.run() }
    }

    /// Cuts everything and refuses new connections until `comeBack`.
    func goAway() {
        state.withLock { state in
            close(state.listener)
            state.listener = -1
            state.isAway = true
            state.mustCut = true
        }
    }

    func comeBack() throws {
        let listener = try Self.listen(port: UInt16(port))
        state.withLock { state in
            state.listener = listener
            state.isAway = false
        }
    }

    /// Cuts all connections; new ones are taken.
    func cut() { state.withLock { $0.mustCut = true } }

    /// Keeps all connections and moves nothing, as a server that is stopped does.
    func freeze() { state.withLock { $0.isFrozen = true } }

    /// Moves again, what waited first.
    func thaw() { state.withLock { $0.isFrozen = false } }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            if state.listener >= 0 { close(state.listener) }
            state.listener = -1
        }
    }

    /// Connections taken so far.
    var accepted: Int { state.withLock { $0.accepted } }

    private func run() {
        while true {
            let (listener, pairs, isStopping, isFrozen) = state.withLock { state in
                if state.mustCut || state.isStopping {
                    for (client, server) in state.pairs { for end in [client, server] { close(end) } }
                    state.pairs = []
                    state.mustCut = false
                }
                return (state.listener, state.pairs, state.isStopping, state.isFrozen)
            }
            if isStopping { return }
            if isFrozen { usleep(5_000) } else { step(listener, pairs) }
        }
    }

    private func step(_ listener: Int32, _ pairs: [(Int32, Int32)]) {
        let ends = pairs.flatMap { [($0.0, $0.1), ($0.1, $0.0)] }
        var descriptors = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        descriptors += ends.map { pollfd(fd: $0.0, events: Int16(POLLIN), revents: 0) }
        guard poll(&descriptors, nfds_t(descriptors.count), 5) > 0 else { return }
        if listener >= 0, descriptors[0].revents != 0 { accept(listener) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for (index, end) in ends.enumerated() where descriptors[index + 1].revents != 0 {
            if !Self.move(from: end.0, to: end.1, &buffer) { drop(end.0) }
        }
    }

    private func accept(_ listener: Int32) {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return }
        // A program that a test starts must not hold what the proxy closes.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isConnected = Self.withLoopback(port: target) { connect(server, $0, $1) == 0 }
        guard isConnected else {
            close(client)
            close(server)
            return
        }
        state.withLock { state in
            state.pairs.append((client, server))
            state.accepted += 1
        }
    }

    private func drop(_ end: Int32) {
        state.withLock { state in
            guard let index = state.pairs.firstIndex(where: { $0.0 == end || $0.1 == end }) else { return }
            let (client, server) = state.pairs.remove(at: index)
            close(client)
            close(server)
        }
    }

    private static func move(from source: Int32, to destination: Int32, _ buffer: inout [UInt8]) -> Bool {
        let count = recv(source, &buffer, buffer.count, 0)
        var sent = 0
        while sent < count {
            let step = buffer[sent..<count].withUnsafeBytes {
                send(destination, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return false }
            sent += step
        }
        return count > 0
    }

    private static func listen(port: UInt16) throws -> Int32 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withLoopback(port: port) { bind(listener, $0, $1) == 0 }
        guard isBound, Foundation.listen(listener, 128) == 0 else { throw POSIXError(.EADDRINUSE) }
        return listener
    }

    private static func localPort(_ listener: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func withLoopback<R>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
