import DispatchCore

/// A large or scheduled audience that this worker is cutting into batches.
struct PlanWork: Sendable {
    let notification: NotificationID
    let hub: Int32
    let lane: Lane
    let audience: Audience
    let platformMask: Int32

    /// Fences the pages this worker writes.
    let epoch: Int32
}
