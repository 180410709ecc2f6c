import Glibc

/// How many descriptors the process may have: a connection is one.
enum DescriptorLimit {
    /// What is open beside connections: the database, the broker, polling, files being sent.
    private static let reserve = 128

    /// Asks for as many as the system lets the process have; answers what there is.
    @discardableResult
    static func raise() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(kind, &limit)
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// What is wrong when so many connections cannot be; nil when they can.
    static func lacking(for connections: Int) -> String? {
        let found = raise()
        guard found < connections + reserve else { return nil }
        return "\(connections) connections need \(connections + reserve) descriptors, the process may have \(found); "
            + "raise the limit of open files (ulimit -n) or lower DISPATCHER_HTTP_CONNECTIONS"
    }
}
