/// Why a receipt cannot be taken; the raw value is the code in dead letters and answers.
enum ReceiptMistake: String, Sendable {
    case unknownNotification
    case unknownInstallation

    /// The notification was not for this installation.
    case notAddressed

    /// The member that is wrong.
    var path: String { self == .unknownNotification ? "$.notificationId" : "$.installationId" }

    /// A sentence for people.
    var detail: String {
        switch self {
        case .unknownNotification: "The hub has no notification with this id, or it is older than the retention."
        case .unknownInstallation: "The hub has no installation with this id."
        case .notAddressed: "The notification was not sent to this installation."
        }
    }
}
