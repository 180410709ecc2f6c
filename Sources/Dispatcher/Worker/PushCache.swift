import DispatchCore

/// The pushes of one notification, each rendered once and shared by all devices of its platform and language.
struct PushCache {
    private let job: SendJob
    private let context: RenderContext
    private var rendered: [Key: Result<PreparedPush, RenderError>] = [:]

    /// What tells one rendering from another: most jobs have one language and need one of each platform.
    private struct Key: Hashable {
        let platform: Platform
        let localization: Int?
    }

    init(notification: NotificationWork, now: Timestamp) {
        job = notification.job
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: notification.expiresAt)
        context = RenderContext(options: options, now: now)
    }

    mutating func push(for device: DeliveryTarget.Device) -> Result<PreparedPush, RenderError> {
        let key = Key(platform: device.platform, localization: job.content.localizationIndex(for: device.locale))
        if let push = rendered[key] { return push }
        var context = context
        context.locale = device.locale
        let push = Result { () throws(RenderError) in
            try PushRenderer.prepare(job.content, for: device.platform, in: context)
        }
        rendered[key] = push
        return push
    }
}

extension JobContent {
    fileprivate func localizationIndex(for locale: String?) -> Int? {
        guard case .neutral(let content) = self else { return nil }
        return content.localizationIndex(for: locale)
    }
}
