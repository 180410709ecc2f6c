import Dispatch
import Glibc
import Synchronization

/// Forwards TCP on loopback until it is frozen: then it still holds the connections but forwards nothing more, like a
/// stopped server whose kernel acknowledges.
final class FreezingProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let state = Mutex(State())

    private struct State {
        var isFrozen = false
        var freezesOn: [UInt8]?
        var sockets: [Int32] = []
    }

    init(target: UInt16) throws {
        self.target = target
        (listener, port) = try Self.listen()
        DispatchQueue(label: "proxy").async { [self] in accept() }
    }

    /// Stops forwarding, in both directions.
    func freeze() {
        state.withLock { $0.isFrozen = true }
    }

    /// Forwards what the client sends, but stops before the answer once it has sent these octets.
    func freeze(afterRequestWith text: String) {
        state.withLock { $0.freezesOn = [UInt8](text.utf8) }
    }

    func close() {
        let sockets = state.withLock { $0.sockets } + [listener]
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && Glibc.listen(listener, 8) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        guard isBound else { throw CancellationError() }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(target)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    _ = connect(server, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            state.withLock { $0.sockets += [client, server] }
            DispatchQueue(label: "up").async { [self] in forward(from: client, to: server, isRequest: true) }
            DispatchQueue(label: "down").async { [self] in forward(from: server, to: client, isRequest: false) }
        }
        Glibc.close(listener)
    }

    private func forward(from source: Int32, to sink: Int32, isRequest: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let isFrozen = state.withLock { state in
                let wasFrozen = state.isFrozen
                if isRequest, let mark = state.freezesOn, buffer[..<count].contains(mark) { state.isFrozen = true }
                return wasFrozen
            }
            if !isFrozen { send(sink, buffer, count, Int32(MSG_NOSIGNAL)) }
        }
        if !state.withLock({ $0.isFrozen }) { shutdown(sink, Int32(SHUT_RDWR)) }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
