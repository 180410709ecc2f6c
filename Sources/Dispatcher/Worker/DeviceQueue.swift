/// The queues of what devices send; the raw value is the routing key.
enum DeviceQueue: String, CaseIterable, Sendable {
    case installations
    case receipts

    var name: String { "push.\(rawValue)" }

    /// The most messages one wave takes: enough to share a commit, few enough to stay quick.
    static let waveLimit = 500

    /// Unacknowledged messages: one wave in hand and one waiting.
    static let prefetch = 2 * waveLimit
}
