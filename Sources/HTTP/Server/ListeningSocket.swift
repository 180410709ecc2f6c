import CMicroHTTPD
import Glibc

/// A socket that listens; closed with its last owner.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: UInt16

    /// Binds to a numeric address.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        let (descriptor, bound) = try Self.open(host, port)
        self.descriptor = descriptor
        self.port = bound
    }

    deinit {
        close(descriptor)
    }

    /// Takes the next connection and calls the body with it; false when there is none.
    ///
    /// - Returns: Whether there was one; nil when descriptors or memory ran out, which only time can cure.
    func accept(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) -> Bool? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Bool? in
                // The library makes it non-blocking.
                let socket = Glibc.accept(descriptor, address, &length)
                if socket >= 0 {
                    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                    body(socket, address, length)
                    return true
                }
                switch errno {
                case EMFILE, ENFILE, ENOMEM, ENOBUFS: return nil
                // A connection that was reset while it waited is an error of that connection only.
                case ECONNABORTED, EINTR, EPROTO: return true
                default: return false
                }
            }
        }
    }

    private static func open(_ host: String, _ port: UInt16) throws(HTTPServerError) -> (Int32, UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee else {
            throw .address(errno: EINVAL)
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { throw .address(errno: errno) }
        var yes: Int32 = 1
        var no: Int32 = 0
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if address.ai_family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size) }
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let reason = errno
            close(descriptor)
            throw .address(errno: reason)
        }
        return (descriptor, boundPort(of: descriptor))
    }

    private static func boundPort(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? HTTPPeer(address).port : 0
            }
        }
    }
}
