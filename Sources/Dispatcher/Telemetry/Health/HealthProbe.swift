import Glibc

/// Asks a metrics address one thing; blocks for five seconds at most.
enum HealthProbe {
    struct Answer: Sendable {
        let status: Int
        let body: String
    }

    /// Nil when nobody answers, or not as HTTP does.
    static func ask(_ address: ListenAddress, _ path: String) -> Answer? {
        guard let descriptor = connect(to: address) else { return nil }
        defer { close(descriptor) }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        return parse(read(descriptor))
    }

    private static func connect(to address: ListenAddress) -> Int32? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.reachableHost, String(address.port), &hints, &found) == 0, let found else {
            return nil
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard Glibc.connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var response: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while response.count < 65_536 {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            response += chunk[..<count]
        }
        return response
    }

    private static func parse(_ response: [UInt8]) -> Answer? {
        let text = String(decoding: response, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let status = Int(text.dropFirst(9).prefix(3)),
            let end = text.firstRange(of: "\r\n\r\n")
        else { return nil }
        return Answer(status: status, body: String(text[end.upperBound...]))
    }
}

extension ListenAddress: CustomStringConvertible {
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Where to knock: who listens everywhere listens on loopback too.
    fileprivate var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
