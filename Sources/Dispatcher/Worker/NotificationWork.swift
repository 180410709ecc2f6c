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

    /// Why the stored job cannot be read by this version, if so: its devices end as failed, and its neighbours are sent.
    let unreadable: JobError?

    /// It has crashed workers: its devices end as failed, and nothing of it is looked at.
    let isQuarantined: Bool

    init(
        id: NotificationID,
        hub: Hub,
        job: SendJob,
        expiresAt: Timestamp,
        isCancelled: Bool,
        unreadable: JobError? = nil,
        isQuarantined: Bool = false
    ) {
        self.id = id
        self.hub = hub
        self.job = job
        self.expiresAt = expiresAt
        self.isCancelled = isCancelled
        self.unreadable = unreadable
        self.isQuarantined = isQuarantined
    }

    /// Where devices fetch the notification's own content, when that is what is attached; one that replaces another and
    /// brings none has that one's.
    func contentURL(now: Timestamp) -> String? {
        guard let links = hub.links, case .neutral(let content) = job.content else { return nil }
        guard let attachment = content.attachment, attachment.url == nil else { return nil }
        let isOwn = content.rich?.content != nil || content.rich?.url != nil
        return links.url(of: isOwn ? job.id : job.options.replaces ?? job.id, expiringAt: expiresAt, now: now)
    }
}
