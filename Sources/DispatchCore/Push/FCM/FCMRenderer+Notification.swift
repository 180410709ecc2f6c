extension FCMRenderer {
    static func writeNotification(_ content: Content, to writer: inout JSONWriter) {
        guard isDrawn(content) else { return }
        let image = content.fcmV1?.image ?? content.pictureURL
        guard content.title?.literal != nil || content.body?.literal != nil || image != nil else { return }
        writer.key("notification")
        writer.beginObject()
        writer.member("title", content.title?.literal)
        writer.member("body", content.body?.literal)
        writer.member("image", image)
        writer.endObject()
    }

    static func writeAndroid(
        _ content: Content,
        id: String,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let options = context.options
        writer.key("android")
        writer.beginObject()
        writer.member("priority", content.isUrgent(options) ? "HIGH" : "NORMAL")
        writer.member("ttl", context.secondsLeft(atMost: longestTTL).map { String($0) + "s" })
        writer.member("collapse_key", options.collapseKey)
        writer.member("restricted_package_name", content.fcmV1?.restrictedPackageName)
        writer.member("direct_boot_ok", content.fcmV1?.isDirectBootOK)
        if isDrawn(content) {
            writer.key("notification")
            writer.beginObject()
            writer.member("tag", content.fcmV1?.tag ?? options.collapseKey ?? id)
            writeMembers(content, to: &writer)
            writer.endObject()
        }
        writeLabel(content.fcmV1?.analyticsLabel, to: &writer)
        writer.endObject()
    }

    private static func writeMembers(_ content: Content, to writer: inout JSONWriter) {
        writer.keyed("title_loc", content.title)
        writer.keyed("body_loc", content.body)
        writer.member("sound", content.sound?.resourceName)
        writer.member("click_action", content.fcmV1?.clickAction)
        writer.member("notification_count", content.badgeCount)
        writer.member("notification_priority", prominence(of: content))
        if let extras = content.fcmV1 { write(extras, to: &writer) }
    }

    private static func write(_ extras: FCMContent, to writer: inout JSONWriter) {
        writer.member("channel_id", extras.channelID)
        writer.member("icon", extras.icon)
        writer.member("color", extras.color)
        writer.member("ticker", extras.ticker)
        writer.member("sticky", extras.isSticky)
        writer.member("local_only", extras.isLocalOnly)
        writer.member("visibility", extras.visibility?.rawValue.uppercased())
    }

    /// Firebase, "NotificationPriority": without one the priority is the default.
    private static func prominence(of content: Content) -> String? {
        if let prominence = content.fcmV1?.notificationPriority {
            return "PRIORITY_" + prominence.rawValue.uppercased()
        }
        return content.interruptionLevel?.androidPriority
    }

    private static func writeLabel(_ label: String?, to writer: inout JSONWriter) {
        guard let label else { return }
        writer.key("fcm_options")
        writer.beginObject()
        writer.member("analytics_label", label)
        writer.endObject()
    }
}
