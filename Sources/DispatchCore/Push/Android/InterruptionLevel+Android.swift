extension InterruptionLevel {
    /// The `notification_priority` that comes nearest; the ordinary one is left out, since it is the default.
    var androidPriority: String? {
        switch self {
        case .passive: "PRIORITY_LOW"
        case .active: nil
        case .timeSensitive: "PRIORITY_HIGH"
        case .critical: "PRIORITY_MAX"
        }
    }
}
