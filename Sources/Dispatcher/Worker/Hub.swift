/// One app: a tenant with its own devices and notifications.
struct Hub: Sendable {
    let id: Int32
    let name: String

    /// The APNs topic of installations that name none.
    let apnsTopic: String?

    /// Whether notifications that say nothing of it are kept in inboxes.
    var keepsInbox = false

    /// The users of the broker whose messages it takes; everybody's when it names none.
    var publishers: Set<String> = []

    /// The users of the broker that are named for any hub: of these it takes only its own.
    var boundUsers: Set<String> = []

    /// Its classes of notifications by name; most hubs have none.
    var classes: [String: NotificationClass] = [:]

    /// Addresses for attachments that the hub itself has; nil while it does not know its own.
    var links: ContentLinks?
}
