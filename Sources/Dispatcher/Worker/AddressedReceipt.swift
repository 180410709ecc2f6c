import DispatchCore

/// A receipt with the keys of what it is about.
struct AddressedReceipt: Sendable {
    let receipt: Receipt
    let notification: NotificationID
    let installation: InstallationKey

    /// When the notification was accepted: nothing has happened to it before.
    let acceptedAt: Timestamp
}
