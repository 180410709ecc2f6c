/// Which servers may be reached without a verified transport, because the operator vouches for the network between.
struct TransportTrust: Sendable, Equatable {
    private(set) var broker = false
    private(set) var database = false

    static let variable = "DISPATCHER_UNVERIFIED_TRANSPORT"

    /// Nobody is trusted.
    init() {}

    /// Reads `broker`, `database` or both, separated by a comma; nil when anything else is there.
    init?(_ text: String) {
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch name {
            case "broker": broker = true
            case "database": database = true
            default: return nil
            }
        }
    }
}
