import DispatchCore

/// A batch in a worker's hands: one or more notifications, each with a run of `targets`.
struct BatchWork: Sendable {
    /// The row in `dispatcher.batch`, with the epoch that fences its results.
    let id: Int64
    let epoch: Int32
    let lane: Lane

    /// Its last owner died between intent and record: any of it may already have reached the gateway.
    let isAmbiguous: Bool

    /// Its targets already have delivery rows, to be updated instead of copied in.
    let isRetry: Bool
    var parts: [Part]

    /// The templates of its devices, read before it is sent when a notification needs them.
    var templates: [InstallationKey: TemplateCache.Entry] = [:]

    /// How much the users of its devices have not read, read before it is sent when a notification shows it.
    var unread: [InstallationKey: Int] = [:]

    /// The declared categories whose buttons its notifications offer, read before it is sent.
    var categories: [NotificationID: ActionCategory] = [:]

    /// What the rules of classes hold back, by its place in the batch; read before it is sent.
    var holds: [Int: ClassHold] = [:]

    /// One notification and its part of the batch.
    struct Part: Sendable {
        let notification: NotificationWork
        let targets: [DeliveryTarget]
    }

    var count: Int { parts.reduce(0) { $0 + $1.targets.count } }
}
