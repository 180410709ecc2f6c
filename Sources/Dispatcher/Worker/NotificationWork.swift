import DispatchCore

/// A notification that a batch sends: the accepted job and its row's facts.
struct NotificationWork: Sendable {
    let id: NotificationID
    let hub: Hub
    let job: SendJob
    let expiresAt: Timestamp
    let isCancelled: Bool
}
