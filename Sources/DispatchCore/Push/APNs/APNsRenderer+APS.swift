/// Apple, "Generating a remote notification": the members of `aps`.
extension APNsRenderer {
    /// Writes what stands in `aps`.
    static func writeAPS(_ content: Content, type: APNsPushType, now: Timestamp, to writer: inout JSONWriter) {
        switch type {
        case .alert: writeShown(content, to: &writer)
        case .voip, .pushtotalk: if !content.isSilent { writeShown(content, to: &writer) }
        case .background: writer.member("content-available", 1)
        case .liveactivity:
            guard let activity = content.liveActivity else { return }
            write(activity, alertOf: content, now: now, to: &writer)
        case .widgets, .controls:
            // Apple, "Updating widgets with WidgetKit push notifications": this flag is a boolean.
            writer.key("content-changed")
            writer.bool(true)
        case .location, .complication, .fileprovider, .mdm: break
        }
    }

    private static func writeShown(_ content: Content, to writer: inout JSONWriter) {
        writeAlert(content, to: &writer)
        writer.member("badge", content.badgeCount)
        write(content.sound, to: &writer)
        writer.member("category", content.category)
        writer.member("thread-id", content.thread)
        writer.member("interruption-level", content.interruptionLevel?.rawValue)
        writer.member("relevance-score", content.relevance)
        writer.member("target-content-id", content.targetContentID)
        writer.member("filter-criteria", content.apns?.filterCriteria)
        if isMutable(content) { writer.member("mutable-content", 1) }
    }

    /// The service extension fetches the attachment; and it is the one that can offer this notification's own actions.
    ///
    /// Apple runs it for alerts alone.
    private static func isMutable(_ content: Content) -> Bool {
        content.hasText && (content.attachment != nil || content.apns?.isMutable == true || !content.actions.isEmpty)
    }

    private static func writeAlert(_ content: Content, to writer: inout JSONWriter) {
        guard content.hasText else { return }
        writer.key("alert")
        writer.beginObject()
        write(content.title, as: "title", key: "title-loc-key", arguments: "title-loc-args", to: &writer)
        write(content.subtitle, as: "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args", to: &writer)
        write(content.body, as: "body", key: "loc-key", arguments: "loc-args", to: &writer)
        writer.member("launch-image", content.apns?.launchImage)
        writer.member("summary-arg", content.summary?.argument)
        writer.member("summary-arg-count", content.summary?.count)
        writer.endObject()
    }

    /// A key stands in place of the text, never beside it.
    private static func write(
        _ text: LocalizableText?,
        as name: String,
        key keyName: String,
        arguments argumentsName: String,
        to writer: inout JSONWriter
    ) {
        switch text {
        case nil: return
        case .literal(let text): writer.member(name, text)
        case .keyed(let key, let arguments, _):
            writer.member(keyName, key)
            writer.member(argumentsName, arguments)
        }
    }

    private static func write(_ sound: Sound?, to writer: inout JSONWriter) {
        switch sound {
        case nil, .silent: return
        case .named(let name): writer.member("sound", name)
        case .critical(let name, let volume):
            writer.key("sound")
            writer.beginObject()
            writer.member("critical", 1)
            writer.member("name", name)
            writer.member("volume", volume)
            writer.endObject()
        }
    }
}
