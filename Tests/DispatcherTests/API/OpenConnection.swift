import Glibc

/// A connection that stays open between its requests; it blocks for two seconds at most.
final class OpenConnection: Sendable {
    struct Closed: Error {}

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var time = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Closed() }
    }

    deinit { Glibc.close(descriptor) }

    /// The status of an answer to a request for nothing much.
    func status() throws -> Int { try exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n") }

    /// Sends a request and answers the status of what comes; throws when the server has closed.
    func exchange(_ request: String) throws -> Int {
        let bytes = Array(request.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Closed() }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 12, let status = Int(String(decoding: chunk[9..<12], as: UTF8.self)) else { throw Closed() }
        return status
    }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
