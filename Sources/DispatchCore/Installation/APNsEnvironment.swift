/// Which of Apple's two servers knows a device token.
public enum APNsEnvironment: String, CaseIterable, Hashable, Sendable {
    /// Development builds.
    case sandbox

    /// TestFlight and the App Store.
    case production

    init(decoding value: JSONValue) throws(JobError) {
        self = try value.choice(["sandbox": .sandbox, "production": .production])
    }

    /// Refuses an environment where there is none.
    static func check(_ environment: APNsEnvironment?, on platform: Platform) throws(JobError) {
        guard environment != nil, platform != .apns else { return }
        throw JobError(.conflictingMembers, reason: "Only the platform apns has environments.").under("environment")
    }
}
