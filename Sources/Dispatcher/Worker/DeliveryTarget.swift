import DispatchCore

/// One device of a resolved audience, with what its gateway needs.
struct DeliveryTarget: Sendable {
    /// Nil when the registration is gone or retired since the audience was resolved.
    let device: Device?
    let installation: InstallationKey

    /// The number of the attempt to come, 1 for the first.
    let attempt: Int

    /// A registered device; a reference, because targets are copied from step to step and its texts need not be.
    final class Device: Sendable {
        let installationID: String
        let platform: Platform
        let channel: String
        let topic: String?
        let permission: Permission
        let locale: String?

        /// Whether it is registered with APNs' sandbox.
        let isSandbox: Bool

        /// Until when its gateway wants it to be left alone; nil for nearly all.
        let pausedUntil: Timestamp?

        init(
            installationID: String,
            platform: Platform,
            channel: String,
            topic: String?,
            permission: Permission,
            locale: String?,
            isSandbox: Bool = false,
            pausedUntil: Timestamp? = nil
        ) {
            self.installationID = installationID
            self.platform = platform
            self.channel = channel
            self.topic = topic
            self.permission = permission
            self.locale = locale
            self.isSandbox = isSandbox
            self.pausedUntil = pausedUntil
        }

        /// The end of the pause that it is in; nil when it is in none.
        func pause(at now: Timestamp) -> Timestamp? { pausedUntil.flatMap { $0 > now ? $0 : nil } }
    }
}
