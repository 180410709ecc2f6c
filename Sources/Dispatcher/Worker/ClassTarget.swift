import DispatchCore

/// A delivery of a batch for which a class of notifications has rules.
struct ClassTarget: Sendable {
    /// Where it stands in the batch.
    let position: Int
    let notification: NotificationID
    let installation: InstallationKey
    let classID: Int32
    let mindsQuietHours: Bool
    let dropsQuiet: Bool

    /// An attempt was counted when it was first made; a delivery that only waited is asked for again.
    let mindsCaps: Bool

    init(
        position: Int,
        notification: NotificationWork,
        target: DeliveryTarget,
        rules: NotificationClass,
        isParked: Bool
    ) {
        let options = notification.job.options.classes
        self.position = position
        self.notification = notification.id
        installation = target.installation
        classID = rules.id
        mindsQuietHours = rules.hasQuietHours && !options.ignoresQuietHours
        dropsQuiet = rules.dropsQuiet
        mindsCaps = rules.hasCaps && !options.ignoresCaps && target.attempt == 1 && !isParked
    }
}
