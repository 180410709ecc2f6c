import DispatchCore

/// A large or scheduled audience that this worker is cutting into batches.
struct PlanWork: Sendable {
    let notification: NotificationID
    let hub: Int32
    let lane: Lane
    let audience: Audience
    let platformMask: Int32

    /// How its users' inboxes keep it; nil when they do not.
    let inbox: InboxEntry?

    /// Whether each device has a time of its own, so that the plan goes in steps.
    let isByDevice: Bool

    /// Fences the pages this worker writes.
    let epoch: Int32
}
