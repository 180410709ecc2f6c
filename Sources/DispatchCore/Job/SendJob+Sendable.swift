extension SendJob {
    /// Refuses a job that none of its platforms could be sent, with the rule of each.
    ///
    /// One platform that takes it in one language is enough. Templates are not looked at: each device brings its own. An
    /// address as long as that of the notification's own content stands for it; without one no content can be attached.
    public func checkSendable(now: Timestamp, contentURL: String? = nil) throws(JobError) {
        if case .template = content { return }
        let expiry = options.expiry(acceptedAt: now)
        var context = RenderContext(
            options: PushOptions(notification: id, options: options, expiresAt: expiry),
            now: now,
            // Each user's own number comes later; that there is one is all that matters here.
            unread: 0,
            // The longest there can be.
            number: NotificationID(rawValue: ReceiptLimits.notificationNumber.upperBound),
            contentURL: contentURL
        )
        var refusals: [RenderError] = []
        for locale in content.languages {
            context.locale = locale
            for platform in targetPlatforms {
                do throws(RenderError) {
                    _ = try PushRenderer.prepare(content, for: platform, in: context)
                    return
                } catch {
                    if locale == nil { refusals.append(error) }
                }
            }
        }
        throw JobError(unsendable: refusals)
    }

    /// The platforms the job can reach at all.
    private var targetPlatforms: [Platform] {
        let wanted = platforms.platforms
        switch (audience, content) {
        case (.channels(let channels), _):
            return wanted.filter { platform in channels.contains { $0.platform == platform } }
        case (_, .native(let payloads)): return wanted.filter { payloads[$0] != nil }
        default: return wanted
        }
    }
}

extension JobContent {
    /// No language, which gets the content's own texts, and then those that have texts of their own.
    fileprivate var languages: [String?] {
        guard case .neutral(let content) = self else { return [nil] }
        return [nil] + content.localizations.map(\.locale)
    }
}

extension JobError {
    fileprivate init(unsendable refusals: [RenderError]) {
        let reasons = refusals.map { "\($0.platform.name)\($0.place): \($0.reason)" }
        let member = refusals.lazy.compactMap(\.member).first
        self.init(
            .unsendable,
            path: member.map { "$.\($0)" } ?? "$",
            reason: "No platform could be sent this (\(reasons.joined(separator: "; ")))."
        )
    }
}

extension RenderError {
    /// The member at fault, unless the reason names it.
    fileprivate var place: String {
        guard let member, !reason.hasPrefix(member) else { return "" }
        return " at $.\(member)"
    }
}
