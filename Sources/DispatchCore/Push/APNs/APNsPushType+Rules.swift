/// What Apple demands of each kind of push (Apple, "Sending notification requests to APNs").
extension APNsPushType {
    /// How far ahead a call may expire: Apple, "Responding to VoIP notifications from PushKit", advises 0 or a few seconds.
    static let longestRing = Duration.seconds(30)

    /// Whether the hub writes `aps` at all: what file providers and device management are told stands beside it.
    var hasAPS: Bool {
        switch self {
        case .fileprovider, .mdm: false
        case .alert, .background, .location, .voip, .complication, .liveactivity, .pushtotalk, .widgets, .controls: true
        }
    }

    /// The value of `apns-priority`: 10 at once, 5 as the battery allows, 1 without waking the device.
    ///
    /// A background push is always 5; a call or a speaker that comes late is worth nothing, so those are always 10; Live
    /// Activities and questions for the place know 10 and 5 alone.
    func priority(for urgency: SendPriority) -> String {
        switch self {
        case .background: "5"
        case .voip, .pushtotalk: "10"
        case .location, .liveactivity: urgency == .high ? "10" : "5"
        case .alert, .complication, .fileprovider, .mdm, .widgets, .controls:
            switch urgency {
            case .high: "10"
            case .normal: "5"
            case .low: "1"
            }
        }
    }

    /// The values of `apns-priority` that it may have.
    var priorities: [String] {
        switch self {
        case .background: ["5"]
        case .voip, .pushtotalk: ["10"]
        case .location, .liveactivity: ["10", "5"]
        case .alert, .complication, .fileprovider, .mdm, .widgets, .controls: ["10", "5", "1"]
        }
    }

    /// Whether Apple shall try once: always for a speaker (Apple, "Creating a Push to Talk app"), and for a call unless
    /// the job itself lets it expire soon.
    func isNowOrNever(expiresAt: Timestamp?, now: Timestamp) -> Bool {
        switch self {
        case .pushtotalk: true
        case .voip: expiresAt.map { $0 > now + Self.longestRing } ?? true
        case .alert, .background, .location, .complication, .fileprovider, .mdm, .liveactivity, .widgets, .controls:
            false
        }
    }
}
