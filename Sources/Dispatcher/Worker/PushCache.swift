import DispatchCore

/// The pushes of one notification, rendered once per platform and shared by all its devices.
struct PushCache {
    private let notification: NotificationWork
    private let now: Timestamp
    private var rendered: [Platform: Result<PreparedPush, RenderError>] = [:]

    init(notification: NotificationWork, now: Timestamp) {
        self.notification = notification
        self.now = now
    }

    mutating func push(for platform: Platform) -> Result<PreparedPush, RenderError> {
        if let push = rendered[platform] { return push }
        let push = Result { () throws(RenderError) in try render(platform) }
        rendered[platform] = push
        return push
    }

    private func render(_ platform: Platform) throws(RenderError) -> PreparedPush {
        let job = notification.job
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: notification.expiresAt)
        let context = RenderContext(options: options, now: now)
        return try PushRenderer.prepare(job.content, for: platform, in: context)
    }
}
