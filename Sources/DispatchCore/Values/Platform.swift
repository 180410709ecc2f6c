/// A push platform: which gateway a device is reached through.
///
/// The raw value is what PostgreSQL stores; it never changes.
public enum Platform: Int16, CaseIterable, Hashable, Sendable {
    /// Apple Push Notification service.
    case apns = 1

    /// Firebase Cloud Messaging, HTTP v1.
    case fcmV1 = 2

    /// Web Push (RFC 8030).
    case browser = 3

    /// Windows Push Notification Services.
    case wns = 4

    /// Amazon Device Messaging.
    case adm = 5

    /// Huawei Push Kit.
    case hms = 6

    /// The spelling in jobs, installations and views.
    public var name: String {
        switch self {
        case .apns: "apns"
        case .fcmV1: "fcmV1"
        case .browser: "browser"
        case .wns: "wns"
        case .adm: "adm"
        case .hms: "hms"
        }
    }

    /// Finds the platform spelled `name`, or nil when there is none.
    public init?(name: some StringProtocol) {
        guard let match = Platform.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
