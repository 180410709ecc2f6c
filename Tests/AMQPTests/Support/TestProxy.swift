import Glibc
import Synchronization

@testable import AMQP

/// A TCP relay on loopback that can cut its connections or stop moving octets.
final class TestProxy: Sendable {
    private struct State {
        var pairs: [(Int32, Int32)] = []
        var isStalled = false
        var isStopping = false
        var mustCut = false
    }

    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let state = Mutex(State())
    private let thread = Mutex<AMQPThread?>(nil)

    init(target: Int) {
        self.target = UInt16(target)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length)
                listen(listener, 16)
                getsockname(listener, generic, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        let thread = AMQPThread(name: "proxy") { self.run() }
        precondition(thread.start())
        self.thread.withLock { $0 = thread }
    }

    /// Closes all connections; new ones are accepted.
    func cut() {
        state.withLock { $0.mustCut = true }
    }

    /// Keeps connections open and moves nothing, as a frozen peer does.
    func stall(_ isStalled: Bool) {
        state.withLock { $0.isStalled = isStalled }
    }

    func stop() async {
        state.withLock { $0.isStopping = true }
        await thread.withLock { $0 }?.join()
        close(listener)
    }

    private func run() {
        while true {
            let (now, isStopping) = state.withLock { state in
                if state.mustCut || state.isStopping { Self.closeAll(&state) }
                return (state.isStalled ? [] : state.pairs, state.isStopping)
            }
            if isStopping { return }
            step(now)
        }
    }

    private func step(_ pairs: [(Int32, Int32)]) {
        var descriptors = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        for (client, server) in pairs {
            descriptors.append(pollfd(fd: client, events: Int16(POLLIN), revents: 0))
            descriptors.append(pollfd(fd: server, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&descriptors, nfds_t(descriptors.count), 10) > 0 else { return }
        if descriptors[0].revents != 0 { accept() }
        for (index, pair) in pairs.enumerated() {
            if descriptors[1 + 2 * index].revents != 0 { move(from: pair.0, to: pair.1) }
            if descriptors[2 + 2 * index].revents != 0 { move(from: pair.1, to: pair.0) }
        }
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: target)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, length) }
        }
        state.withLock { $0.pairs.append((client, server)) }
    }

    private func move(from source: Int32, to destination: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(source, &buffer, buffer.count, 0)
        guard count > 0 else { return drop(source) }
        var sent = 0
        while sent < count {
            let step = buffer[sent..<count].withUnsafeBytes {
                send(destination, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return drop(source) }
            sent += step
        }
    }

    private func drop(_ descriptor: Int32) {
        state.withLock { state in
            for (client, server) in state.pairs where client == descriptor || server == descriptor {
                close(client)
                close(server)
            }
            state.pairs.removeAll { $0.0 == descriptor || $0.1 == descriptor }
        }
    }

    private static func closeAll(_ state: inout State) {
        for (client, server) in state.pairs {
            close(client)
            close(server)
        }
        state.pairs = []
        state.mustCut = false
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
