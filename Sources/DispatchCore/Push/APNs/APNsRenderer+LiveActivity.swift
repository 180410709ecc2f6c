/// Apple, "Starting and updating Live Activities with ActivityKit push notifications".
extension APNsRenderer {
    /// Writes what `aps` holds for a step of a Live Activity.
    static func write(
        _ activity: LiveActivity,
        alertOf content: Content,
        now: Timestamp,
        to writer: inout JSONWriter
    ) {
        writer.member("timestamp", activity.timestamp ?? now)
        writer.member("event", activity.event.rawValue)
        writer.member("content-state", activity.contentState)
        writer.member("attributes-type", activity.attributesType)
        writer.member("attributes", activity.attributes)
        if activity.wantsPushToken == true { writer.member("input-push-token", 1) }
        writer.member("input-push-channel", activity.pushChannel)
        writer.member("stale-date", activity.staleDate)
        writer.member("dismissal-date", activity.dismissalDate)
        writer.member("relevance-score", activity.relevance ?? content.relevance)
        writeActivityAlert(content, to: &writer)
    }

    /// Its alert has title and body, each a text or a key with arguments, and the sound beside them: a name, since a
    /// Live Activity has no critical sound.
    private static func writeActivityAlert(_ content: Content, to writer: inout JSONWriter) {
        guard content.title != nil || content.body != nil else { return }
        writer.key("alert")
        writer.beginObject()
        writeActivityText("title", content.title, to: &writer)
        writeActivityText("body", content.body, to: &writer)
        writer.member("sound", content.sound?.name)
        writer.endObject()
    }

    private static func writeActivityText(_ name: String, _ text: LocalizableText?, to writer: inout JSONWriter) {
        switch text {
        case nil: return
        case .literal(let text): writer.member(name, text)
        case .keyed(let key, let arguments, _):
            writer.key(name)
            writer.beginObject()
            writer.member("loc-key", key)
            writer.member("loc-args", arguments)
            writer.endObject()
        }
    }
}
