extension WebPushRenderer {
    /// Writes what `showNotification` takes: the title and NotificationOptions.
    static func writeNotification(
        _ content: Content,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let options = context.options
        writer.beginObject()
        writeTexts(content, to: &writer)
        writer.member("navigate", content.declaredLink)
        writePictures(content, to: &writer)
        writer.member("tag", content.browser?.tag ?? options.collapseKey ?? options.notification.description)
        writeManner(content, to: &writer)
        writeActions(content.buttons(in: context), to: &writer)
        writer.member("app_badge", content.badgeCount)
        if content.declaredLink != nil { writer.member("mutable", true) }
        writer.key("data")
        writer.object(content.carriedMembers(of: options.notification))
        writer.endObject()
    }

    private static func writeTexts(_ content: Content, to writer: inout JSONWriter) {
        let texts = content.shownTexts
        writer.member("title", texts.first)
        writer.member("body", texts.count > 1 ? texts.dropFirst().joined(separator: "\n") : nil)
        writer.member("lang", content.browser?.language)
        writer.member("dir", content.browser?.direction?.rawValue)
    }

    private static func writePictures(_ content: Content, to writer: inout JSONWriter) {
        writer.member("icon", content.browser?.icon)
        writer.member("image", content.browser?.image ?? content.pictureURL)
        writer.member("badge", content.browser?.badge)
    }

    private static func writeManner(_ content: Content, to writer: inout JSONWriter) {
        let browser = content.browser
        // Browsers refused one that alerts again and is silent until the draft of 2026.
        writer.member("renotify", content.isQuiet == true ? nil : browser?.renotifies)
        let isUrgent = content.interruptionLevel == .timeSensitive || content.interruptionLevel == .critical
        writer.member("requireInteraction", browser?.requiresInteraction ?? (isUrgent ? true : nil))
        writer.member("silent", content.isQuiet)
        if let pattern = browser?.vibration, !pattern.isEmpty {
            writer.key("vibrate")
            writer.beginArray()
            for milliseconds in pattern { writer.number(milliseconds) }
            writer.endArray()
        }
        // The member is unsigned: an instant before 1970 would come out in the far future.
        writer.member("timestamp", browser?.timestamp.map { Int(max($0.milliseconds, 0)) })
    }

    private static func writeActions(_ actions: [CategoryAction], to writer: inout JSONWriter) {
        guard !actions.isEmpty else { return }
        writer.key("actions")
        writer.beginArray()
        for action in actions {
            writer.beginObject()
            writer.member("action", action.id)
            writer.member("title", action.title)
            writer.member("icon", action.icon.flatMap { URLForms.isSecure($0) ? $0 : nil })
            writer.endObject()
        }
        writer.endArray()
    }
}

extension Content {
    /// The link that makes a push declarative: a page that the browser itself can open.
    var declaredLink: String? {
        link.flatMap { URLForms.isSecure($0) ? $0 : nil }
    }

    /// Whether a browser is told to make no sound and not to vibrate; nil leaves it to the browser.
    var isQuiet: Bool? {
        if let isSilent = browser?.isSilent { return isSilent }
        return sound == .silent || (sound == nil && interruptionLevel == .passive) ? true : nil
    }
}
