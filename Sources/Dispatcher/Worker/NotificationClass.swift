/// A class of a hub's notifications, as far as its rules matter when one is sent.
struct NotificationClass: Sendable {
    let id: Int32
    let hasQuietHours: Bool

    /// What comes in quiet hours is dropped rather than deferred.
    let dropsQuiet: Bool
    let hasCaps: Bool
}
