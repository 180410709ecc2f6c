extension SendJob {
    /// Whether its users find it in their inboxes.
    ///
    /// The job's own word counts first. A badge of what is unread counts what it announces, so that is kept too; the rest
    /// is as the hub is set. What shows nothing is kept only when the job says so.
    public func keepsInbox(hubKeepsInbox: Bool) -> Bool {
        if let word = options.keepsInbox { return word }
        guard case .neutral(let content) = content else { return hubKeepsInbox }
        return (content.badge == .unread || hubKeepsInbox) && (content.hasText || content.rich != nil)
    }
}

extension JobContent {
    /// The thread that it belongs to, as far as the hub can tell.
    public var thread: String? {
        switch self {
        case .neutral(let content): return content.thread
        case .native(let payloads):
            guard case .string(let thread)? = payloads[.apns]?["aps"]?["thread-id"], !thread.isEmpty else { return nil }
            return thread
        case .template: return nil
        }
    }
}
