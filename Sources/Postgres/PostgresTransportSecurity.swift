import CPostgres
import Glibc

/// Whether a connection can be read or answered by somebody between.
public enum PostgresTransportSecurity: Sendable, Equatable {
    /// A socket of this machine.
    case local
    /// TLS with the server's name checked (`sslmode=verify-full`).
    case verified
    /// Another machine under a weaker `sslmode`: whoever answers gets the password or the data.
    case unverified(sslmode: String)
}

extension PostgresConfiguration {
    /// How the transport is protected, from the URL and libpq's environment variables.
    public var transportSecurity: PostgresTransportSecurity {
        let defaults = PQconndefaults()
        defer { PQconninfoFree(defaults) }
        let all = options.merging(defaults.map(Self.read) ?? [:]) { url, _ in url }
        if all["sslmode"] == "verify-full" { return .verified }
        let isLocal = Self.targets(hosts: all["host"] ?? "", addresses: all["hostaddr"] ?? "").allSatisfy(Self.isLocal)
        return isLocal ? .local : .unverified(sslmode: all["sslmode"] ?? "prefer")
    }

    /// What libpq connects to: of each pair the address, where one is given.
    private static func targets(hosts: String, addresses: String) -> [Substring] {
        let hosts = hosts.split(separator: ",", omittingEmptySubsequences: false)
        guard !addresses.isEmpty else { return hosts }
        let addresses = addresses.split(separator: ",", omittingEmptySubsequences: false)
        return addresses.enumerated().map { index, address in
            address.isEmpty && index < hosts.count ? hosts[index] : address
        }
    }

    /// An empty host is the Unix socket, a path or `@name` is one too.
    private static func isLocal(_ host: Substring) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || isLoopback(String(host))
    }

    /// Only a number is; a name that begins like one may lead anywhere.
    private static func isLoopback(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.last == 1 && $0.dropLast().allSatisfy { $0 == 0 } }
    }
}
