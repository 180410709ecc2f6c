/// How urgent a job is: which queue it waits in, and what gateways are told; the raw value is the lane that is stored.
public enum SendPriority: Int16, CaseIterable, Hashable, Sendable {
    /// Before everything else; devices are woken.
    case high = 0

    /// The default.
    case normal = 1

    /// After everything else; devices get it when they are awake.
    case low = 2

    /// The spelling in jobs.
    public var name: String {
        switch self {
        case .high: "high"
        case .normal: "normal"
        case .low: "low"
        }
    }
}
