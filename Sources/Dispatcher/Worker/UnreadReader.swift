import DispatchCore

/// Gives a batch the numbers of its badges, where a notification asks for what is unread.
struct UnreadReader: Sendable {
    let store: UnreadStore
    let log: Log
    let backoff: Backoff

    /// The batch with its numbers; nil when the drain has run out of time.
    ///
    /// Read last before it is rendered, so that a badge is as new as it can be.
    func read(for batch: BatchWork) async -> BatchWork? {
        let parts = batch.parts.filter(\.notification.job.content.countsUnread)
        let devices = parts.flatMap { $0.targets.map(\.installation) }
        guard !devices.isEmpty else { return batch }
        return await backoff.insist("unread.failed", batch: batch.id, log: log) {
            var batch = batch
            batch.unread = try await store.counts(of: devices)
            return batch
        }
    }
}

extension JobContent {
    /// Whether each user's own number is its badge.
    var countsUnread: Bool {
        guard case .neutral(let content) = self else { return false }
        return content.badge == .unread
    }

    /// Whether that number is all there is of it, so that it says nothing to a device without a user.
    var isUnreadAlone: Bool {
        guard case .neutral(let content) = self, content.badge == .unread else { return false }
        var rest = content
        rest.badge = nil
        return rest.isSilent && rest.data.isEmpty && rest.rich == nil && rest.liveActivity == nil
    }
}
