import Foundation
import Glibc

/// Sends octets to a port of this machine and reads until the other side closes.
enum HTTPExchange {
    struct Trouble: Error {
        let step: String
        let number: Int32
    }

    static func run(_ request: [UInt8], port: UInt16) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            // It blocks, so it gets a thread of its own: those of the global queue also run the server's tasks.
            Thread.detachNewThread { continuation.resume(with: Result { try blocking(request, port) }) }
        }
    }

    /// Sends octets and hangs up without reading.
    static func abandon(_ request: [UInt8], port: UInt16) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let descriptor = try connected(port)
                        send(request, descriptor)
                        close(descriptor)
                    }
                )
            }
        }
    }

    private static func blocking(_ request: [UInt8], _ port: UInt16) throws -> [UInt8] {
        let descriptor = try connected(port)
        defer { close(descriptor) }
        send(request, descriptor)
        return try receive(descriptor)
    }

    private static func connected(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            defer { close(descriptor) }
            throw Trouble(step: "connect", number: errno)
        }
        return descriptor
    }

    /// A server may answer before it has everything, and take no more.
    private static func send(_ request: [UInt8], _ descriptor: Int32) {
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private static func receive(_ descriptor: Int32) throws -> [UInt8] {
        var response: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count >= 0 else { throw Trouble(step: "receive", number: errno) }
            if count == 0 { return response }
            response += chunk[..<count]
        }
    }
}
