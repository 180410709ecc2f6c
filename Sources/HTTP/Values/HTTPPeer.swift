import CMicroHTTPD
import Glibc

/// The address of the other end of a connection.
public struct HTTPPeer: Sendable, Hashable {
    /// Four octets of IPv4 or sixteen of IPv6; an IPv4 client of an IPv6 socket has four.
    public let octets: [UInt8]

    /// The port.
    public let port: UInt16

    /// Makes a peer, for tests of handlers.
    public init(octets: [UInt8], port: UInt16) {
        self.octets = octets
        self.port = port
    }

    init(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let value = raw.loadUnaligned(as: sockaddr_in.self)
            self.init(
                octets: withUnsafeBytes(of: value.sin_addr) { Array($0) },
                port: UInt16(bigEndian: value.sin_port)
            )
        case AF_INET6:
            let value = raw.loadUnaligned(as: sockaddr_in6.self)
            let octets = withUnsafeBytes(of: value.sin6_addr) { Array($0) }
            let isMapped = octets.prefix(10).allSatisfy { $0 == 0 } && octets[10] == 0xFF && octets[11] == 0xFF
            self.init(octets: isMapped ? Array(octets.suffix(4)) : octets, port: UInt16(bigEndian: value.sin6_port))
        default:
            self.init(octets: [], port: 0)
        }
    }

    /// The address in its usual form, without the port; empty for one that is neither IPv4 nor IPv6.
    public var host: String {
        guard octets.count == 4 || octets.count == 16 else { return "" }
        var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = octets.count == 4 ? AF_INET : AF_INET6
        text.withUnsafeMutableBytes { buffer in
            _ = inet_ntop(family, octets, buffer.baseAddress, socklen_t(buffer.count))
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
}
