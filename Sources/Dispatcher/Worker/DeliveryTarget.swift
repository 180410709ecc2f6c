import DispatchCore

/// One device of a resolved audience, with what its gateway needs.
struct DeliveryTarget: Sendable {
    /// Nil when the registration is gone or retired since the audience was resolved.
    let device: Device?
    let installation: InstallationKey

    /// The number of the attempt to come, 1 for the first.
    let attempt: Int

    struct Device: Sendable {
        let installationID: String
        let platform: Platform
        let channel: String
        let topic: String?
        let permission: Permission
    }
}
