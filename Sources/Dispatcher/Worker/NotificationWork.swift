import DispatchCore

/// A notification that a batch sends: the accepted job and its row's facts.
///
/// A reference, because every delivery of the batch looks at it.
final class NotificationWork: Sendable {
    let id: NotificationID
    let hub: Hub
    let job: SendJob
    let expiresAt: Timestamp
    let isCancelled: Bool

    init(id: NotificationID, hub: Hub, job: SendJob, expiresAt: Timestamp, isCancelled: Bool) {
        self.id = id
        self.hub = hub
        self.job = job
        self.expiresAt = expiresAt
        self.isCancelled = isCancelled
    }
}
