import CPostgres

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
        let hosts = (all["hostaddr"] ?? all["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let isLocal = hosts.allSatisfy(Self.isLocal)
        return isLocal ? .local : .unverified(sslmode: all["sslmode"] ?? "prefer")
    }

    /// An empty host is the Unix socket, a path or `@name` is one too.
    private static func isLocal(_ host: Substring) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
            || host.hasPrefix("127.")
    }
}
