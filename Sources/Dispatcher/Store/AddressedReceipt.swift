import DispatchCore

/// A receipt with the keys of what it is about.
struct AddressedReceipt: Sendable {
    let hub: Int32
    let receipt: Receipt
    let notification: NotificationID
    let installation: InstallationKey
}
