import Dispatch
import Glibc

/// A client that sends exactly what it is told to; it blocks, so it is used within `offPool` only.
final class RawClient {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    struct Response {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []

        subscript(name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ port: UInt16, seconds: Int = 10) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Trouble(description: "connect: errno \(errno)") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Trouble(description: "send: errno \(errno) after \(sent)") }
            sent += count
        }
    }

    /// Reads one response; for an answer to HEAD without its body.
    func receive(isHead: Bool = false) throws -> Response {
        while true {
            if let end = headerEnd {
                var response = try parse(Array(buffer[..<end]))
                buffer.removeSubrange(..<(end + 4))
                let length = Int(response["Content-Length"] ?? "0") ?? 0
                if isHead || response.status == 304 || response.status == 204 || response.status < 200 {
                    return response
                }
                while buffer.count < length {
                    guard try fill() else { throw Trouble(description: "closed within a body") }
                }
                response.body = Array(buffer[..<length])
                buffer.removeSubrange(..<length)
                return response
            }
            guard try fill() else { throw Trouble(description: "closed before a response") }
        }
    }

    /// Whether the server closes the connection, orderly or not, before anything more comes.
    func isClosed() throws -> Bool {
        guard buffer.isEmpty else { return false }
        do { return try !fill() } catch let trouble as Trouble {
            if trouble.description.hasSuffix("errno \(ECONNRESET)") { return true }
            throw trouble
        }
    }

    /// Everything up to the close.
    func rest() throws -> [UInt8] {
        while try fill() {}
        return buffer
    }

    private var headerEnd: Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first { Array(buffer[$0..<($0 + 4)]) == [13, 10, 13, 10] }
    }

    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw Trouble(description: "recv: errno \(errno)") }
        buffer += chunk[..<count]
        return count > 0
    }

    private func parse(_ header: [UInt8]) throws -> Response {
        let lines = String(decoding: header, as: UTF8.self).split(separator: "\r\n").map(String.init)
        var response = Response()
        guard let line = lines.first, line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
            throw Trouble(description: "no status line: \(lines)")
        }
        response.status = status
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Trouble(description: "no field: \(line)") }
            response.headers.append((String(parts[0]), String(parts[1].drop { $0 == " " })))
        }
        return response
    }
}

/// Runs blocking code on a thread that is not the cooperative pool's, where the handlers run.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
