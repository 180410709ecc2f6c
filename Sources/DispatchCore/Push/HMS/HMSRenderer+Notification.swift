extension HMSRenderer {
    static func writeNotification(_ content: Content, to writer: inout JSONWriter) {
        guard content.hasAndroidText else { return }
        writer.key("notification")
        writer.beginObject()
        writer.member("title", content.title?.text ?? " ")
        writer.member("body", content.body?.text ?? " ")
        writer.member("image", content.hms?.image ?? content.pictureURL)
        writer.endObject()
    }

    static func writeAndroid(
        _ content: Content,
        id: String,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let options = context.options
        let key = options.collapseKey.map { HMSKey($0) }
        writer.key("android")
        writer.beginObject()
        writer.member("collapse_key", key?.group)
        writer.member("urgency", content.isUrgent(options) ? "HIGH" : "NORMAL")
        writer.member("category", content.hms?.category)
        // Huawei has no "now or never": a second is the least.
        writer.member("ttl", context.secondsLeft(atMost: longestTTL).map { String(max($0, 1)) + "s" })
        writer.member("bi_tag", content.hms?.biTag)
        writer.member("target_user_type", content.hms?.isForTestUser.map { $0 ? 1 : 0 })
        if content.hasAndroidText {
            writer.key("notification")
            writer.beginObject()
            writeReplacement(content.hms?.notifyID, tag: options.collapseKey ?? id, key: key, to: &writer)
            writeMembers(content, to: &writer)
            writeButtons(content.buttons(in: context), id: id, to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func writeReplacement(_ id: Int?, tag: String, key: HMSKey?, to writer: inout JSONWriter) {
        if id == nil { writer.member("tag", tag) }
        writer.member("notify_id", id ?? key?.notifyID)
    }

    private static func writeMembers(_ content: Content, to writer: inout JSONWriter) {
        let extras = content.hms
        writer.keyed("title_loc", content.title)
        writer.keyed("body_loc", content.body)
        writer.member("icon", extras?.icon)
        writer.member("color", extras?.color)
        writeSound(content.sound, to: &writer)
        writeClickAction(intent: extras?.clickIntent, link: content.link, to: &writer)
        writer.member("importance", importance(of: content))
        writer.member("channel_id", extras?.channelID)
        writer.member("group", content.thread)
        writeBadge(content.badgeCount, of: extras?.badgeClass, to: &writer)
    }

    private static func writeSound(_ sound: Sound?, to writer: inout JSONWriter) {
        guard let sound, let name = sound.resourceName else { return }
        writer.member("default_sound", sound.isStandard)
        guard !sound.isStandard else { return }
        writer.member("sound", name.hasPrefix("/") ? name : "/raw/" + name)
    }

    private static func writeClickAction(intent: String?, link: String?, to writer: inout JSONWriter) {
        writer.key("click_action")
        writer.beginObject()
        if intent == nil, let link, URLForms.isSecure(link) {
            writer.member("type", 2)
            writer.member("url", link)
        } else if let intent = intent ?? link {
            writer.member("type", 1)
            writer.member("intent", intent)
        } else {
            writer.member("type", 3)
        }
        writer.endObject()
    }

    private static func importance(of content: Content) -> String? {
        if let importance = content.hms?.importance { return importance.rawValue.uppercased() }
        if content.sound == .silent || content.interruptionLevel == .passive { return "LOW" }
        return content.interruptionLevel == nil ? nil : "NORMAL"
    }

    /// Huawei, "BadgeNotification": the class is mandatory, the number is 0 to 99.
    private static func writeBadge(_ count: Int?, of entry: String?, to writer: inout JSONWriter) {
        guard let count, let entry else { return }
        writer.key("badge")
        writer.beginObject()
        writer.member("class", entry)
        writer.member("set_num", min(count, greatestBadge))
        writer.endObject()
    }

    private static func writeButtons(_ actions: [CategoryAction], id: String, to writer: inout JSONWriter) {
        let buttons = actions.lazy.filter { $0.input == nil }.prefix(buttonLimit)
        guard !buttons.isEmpty else { return }
        writer.key("buttons")
        writer.beginArray()
        for button in buttons {
            writer.beginObject()
            writer.member("name", name(button.title))
            writer.member("action_type", 0)
            var data = JSONWriter(capacity: 128)
            data.beginObject()
            data.member("action", button.id)
            data.member("notificationId", id)
            data.endObject()
            writer.member("data", data.bytes)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Huawei, "Button": at most 40 characters, counted as UTF-16 does to be sure.
    private static func name(_ title: String) -> String {
        guard title.utf16.count > nameLimit else { return title }
        var name = title
        while name.utf16.count >= nameLimit { name.removeLast() }
        return name + "…"
    }

    static let greatestBadge = 99
    static let buttonLimit = 3
    static let nameLimit = 40
}
