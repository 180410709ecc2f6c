extension FCMRenderer {
    /// Whether Android draws the message; otherwise it is data only.
    static func isDrawn(_ content: Content) -> Bool {
        content.title != nil || content.body != nil
    }

    static func writeNotification(_ content: Content, to writer: inout JSONWriter) {
        guard isDrawn(content) else { return }
        writer.key("notification")
        writer.beginObject()
        writer.member("title", content.title?.text)
        writer.member("body", content.body?.text)
        writer.endObject()
    }

    static func writeData(_ content: Content, to writer: inout JSONWriter) throws(RenderError) {
        let derived = derivedData(content).filter { name, _ in !content.data.contains { $0.name == name } }
        guard !content.data.isEmpty || !derived.isEmpty else { return }
        writer.key("data")
        writer.beginObject()
        for member in content.data {
            guard !isReserved(member.name) else {
                throw RenderError(
                    code: .reservedKey,
                    platform: .fcmV1,
                    reason: "FCM keeps the data key \(member.name) for itself"
                )
            }
            writer.member(member.name, text(of: member.value))
        }
        for (name, text) in derived { writer.member(name, text) }
        writer.endObject()
    }

    static func writeAndroid(
        _ content: Content,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let options = context.options
        writer.key("android")
        writer.beginObject()
        let isUrgent = options.priority == .high && !content.isSilent
        writer.member("priority", isUrgent ? "HIGH" : "NORMAL")
        writer.member("ttl", context.secondsLeft(atMost: longestTTL).map { "\($0)s" })
        writer.member("collapse_key", options.collapseKey)
        if isDrawn(content) {
            writer.key("notification")
            writer.beginObject()
            writer.member("tag", options.collapseKey ?? options.notification.description)
            writer.member("sound", content.sound?.name)
            writer.member("click_action", content.category)
            writer.member("notification_count", content.badgeCount)
            writer.endObject()
        }
        writer.endObject()
    }

    /// What FCM has no member for, or Android would draw nothing with.
    static func derivedData(_ content: Content) -> [(name: String, text: String)] {
        let isDataOnly = !isDrawn(content)
        let members = [
            ("category", content.category),
            ("thread", content.thread),
            ("badge", isDataOnly ? content.badgeCount.map { String($0) } : nil),
            ("sound", isDataOnly ? content.sound?.name : nil),
        ]
        return members.compactMap { name, text in text.map { (name, $0) } }
    }

    /// Firebase, "ErrorCode": `from`, `gcm` and all that starts with `google`; `collapse_key` would be overwritten, and
    /// the messaging guide adds `message_type` and all that starts with `gcm.`.
    private static func isReserved(_ name: String) -> Bool {
        ["from", "gcm", "collapse_key", "message_type"].contains(name)
            || name.hasPrefix("google")
            || name.hasPrefix("gcm.")
    }

    private static func text(of value: JSONValue) -> String {
        value.string ?? String(decoding: JSONWriter.encode(value), as: UTF8.self)
    }
}
