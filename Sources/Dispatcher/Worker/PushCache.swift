import DispatchCore

/// The pushes of one notification, each rendered once and shared by all devices of its platform, language and badge.
///
/// A device's own template is rendered for it alone.
struct PushCache {
    private let job: SendJob
    private let context: RenderContext
    private let templates: [InstallationKey: TemplateCache.Entry]
    private let properties: TemplateProperties?

    /// The numbers of a badge that counts what is unread; nil when there is no such badge.
    private let unread: [InstallationKey: Int]?
    private let isUnreadAlone: Bool
    private var rendered: [Key: Result<PreparedPush, RenderError>] = [:]

    /// Which localization the devices of a locale get: worked out once, not for each device.
    private var localizations: [String: Int?] = [:]

    /// What tells one rendering from another: most jobs have one language and need one of each platform.
    private struct Key: Hashable {
        let platform: Platform
        let localization: Int?
        let unread: Int?
    }

    init(notification: NotificationWork, of batch: BatchWork, now: Timestamp) {
        job = notification.job
        templates = batch.templates
        unread = job.content.countsUnread ? batch.unread : nil
        isUnreadAlone = unread != nil && job.content.isUnreadAlone
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: notification.expiresAt)
        context = RenderContext(
            options: options,
            now: now,
            category: batch.categories[notification.id],
            number: notification.id,
            contentURL: notification.contentURL(now: now)
        )
        if case .template(let members) = job.content {
            properties = TemplateProperties(members)
        } else {
            properties = nil
        }
    }

    /// Whether a number is all it has to say and the device, having no user, has none.
    func isWithoutNumber(_ installation: InstallationKey) -> Bool {
        isUnreadAlone && unread?[installation] == nil
    }

    mutating func push(
        for device: DeliveryTarget.Device,
        key installation: InstallationKey
    ) -> Result<PreparedPush, RenderError> {
        if let properties {
            return Result { () throws(RenderError) in try render(properties, for: device, key: installation) }
        }
        let key = Key(
            platform: device.platform,
            localization: localization(for: device.locale),
            unread: unread?[installation]
        )
        if let push = rendered[key] { return push }
        var context = context
        context.locale = device.locale
        context.unread = key.unread
        let push = Result { () throws(RenderError) in
            try PushRenderer.prepare(job.content, for: device.platform, in: context)
        }
        rendered[key] = push
        return push
    }

    private mutating func localization(for locale: String?) -> Int? {
        guard let locale, case .neutral(let content) = job.content, !content.localizations.isEmpty else { return nil }
        if let known = localizations[locale] { return known }
        let index = content.localizationIndex(for: locale)
        localizations.updateValue(index, forKey: locale)
        return index
    }

    private func render(
        _ properties: TemplateProperties,
        for device: DeliveryTarget.Device,
        key installation: InstallationKey
    ) throws(RenderError) -> PreparedPush {
        guard let template = try templates[installation]?.get().select(named: job.options.templateName) else {
            throw RenderError(code: .noTemplate, platform: device.platform, reason: "the device has no such template")
        }
        return try template.render(properties, in: context)
    }
}
