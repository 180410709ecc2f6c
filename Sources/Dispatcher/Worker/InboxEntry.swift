import DispatchCore

/// What an inbox keeps of a notification besides which one it is.
struct InboxEntry: Sendable, Equatable {
    let thread: String?

    /// Nil when the job is not kept in inboxes.
    init?(_ job: SendJob, hubKeepsInbox: Bool) {
        guard job.keepsInbox(hubKeepsInbox: hubKeepsInbox) else { return nil }
        thread = job.content.thread
    }
}
