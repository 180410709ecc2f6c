import Glibc

/// Sockets of refused uploads, read for a while after their response.
///
/// The library closes such a connection while octets of the body still arrive. The system then resets it, and a client
/// that gets the reset before it has read the answer never sees the 401 or 413. So a duplicate of the descriptor is kept
/// open and read until the client is through, or for a few seconds, or for as much as an upload may have
/// (RFC 9112 section 9.6 describes this).
struct LingeringSockets: ~Copyable {
    private struct Socket {
        let descriptor: Int32
        let end: Int64
        var left: Int
    }

    /// More of them at a time are closed at once.
    private static let most = 256
    private static let milliseconds: Int64 = 5000
    private static let octets = 16 * 1024 * 1024

    private var sockets: [Socket] = []
    private var chunk = [UInt8](repeating: 0, count: 64 * 1024)

    deinit {
        for socket in sockets { close(socket.descriptor) }
    }

    var isEmpty: Bool { sockets.isEmpty }

    /// Takes over a descriptor.
    mutating func add(_ descriptor: Int32, now: Int64) {
        shutdown(descriptor, Int32(SHUT_WR))
        guard sockets.count < Self.most else {
            close(descriptor)
            return
        }
        sockets.append(Socket(descriptor: descriptor, end: now + Self.milliseconds, left: Self.octets))
    }

    /// What is to be polled.
    var polled: [pollfd] {
        sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    /// Reads what there is, and closes what is through.
    mutating func drain(now: Int64) {
        for index in sockets.indices.reversed() {
            guard sockets[index].end > now, readSome(index) else {
                close(sockets[index].descriptor)
                sockets.swapAt(index, sockets.count - 1)
                sockets.removeLast()
                continue
            }
        }
    }

    /// False once the client has closed, or has sent more than anyone listens to.
    private mutating func readSome(_ index: Int) -> Bool {
        let count = recv(sockets[index].descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        sockets[index].left -= count
        return sockets[index].left > 0
    }
}
