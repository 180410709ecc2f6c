/// What a device's user allows the app; the raw value is what PostgreSQL stores.
public enum Permission: Int16, CaseIterable, Hashable, Sendable {
    /// The user was not asked, or the app did not say.
    case notDetermined = 0

    /// Alerts, sounds and badges.
    case authorized = 1

    /// Nothing that is seen or heard.
    case denied = 2

    /// Quietly, in the list of notifications only.
    case provisional = 3

    /// For some hours (App Clips).
    case ephemeral = 4

    /// The spelling in messages and views.
    public var name: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .authorized: "authorized"
        case .denied: "denied"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        }
    }

    init(decoding value: JSONValue) throws(JobError) {
        self = try value.choice([
            "notDetermined": .notDetermined, "authorized": .authorized, "denied": .denied,
            "provisional": .provisional, "ephemeral": .ephemeral,
        ])
    }
}
