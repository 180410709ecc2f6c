import Glibc

/// The numeric addresses that only this machine reaches: 127.0.0.0/8 and `::1`.
enum LoopbackAddress {
    static func contains(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.last == 1 && $0.dropLast().allSatisfy { $0 == 0 } }
    }
}
