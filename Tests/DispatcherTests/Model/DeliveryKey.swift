import DispatchCore

/// One notification on one device.
struct DeliveryKey: Hashable, Comparable, CustomStringConvertible {
    let notification: NotificationID
    let installation: InstallationKey

    static func < (left: DeliveryKey, right: DeliveryKey) -> Bool {
        (left.notification.rawValue, left.installation.rawValue)
            < (right.notification.rawValue, right.installation.rawValue)
    }

    /// The day is left out: a run has one.
    var description: String { "n\(notification.rawValue & 0xF_FFFF_FFFF)/i\(installation.rawValue)" }
}
