extension FCMRenderer {
    static func writeData(
        _ content: Content,
        id: String,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let data = AndroidData(content, isTextOnly: true)
        writer.key("data")
        writer.beginObject()
        data.write(content, id: id, in: context, isDrawn: isDrawn(content), to: &writer)
        if !isDrawn(content) {
            data.write("image", content.fcmV1?.image, to: &writer)
            if let extras = content.fcmV1 {
                data.write("tag", extras.tag ?? context.options.collapseKey, to: &writer)
                write(extras, as: data, to: &writer)
            }
        }
        writer.endObject()
    }

    /// What the app needs to draw as Android would have.
    private static func write(_ extras: FCMContent, as data: AndroidData, to writer: inout JSONWriter) {
        data.write("channelId", extras.channelID, to: &writer)
        data.write("icon", extras.icon, to: &writer)
        data.write("color", extras.color, to: &writer)
        data.write("clickAction", extras.clickAction, to: &writer)
        data.write("ticker", extras.ticker, to: &writer)
        data.write("visibility", extras.visibility?.rawValue, to: &writer)
        data.write("notificationPriority", extras.notificationPriority?.rawValue, to: &writer)
        data.write("sticky", extras.isSticky, to: &writer)
        data.write("localOnly", extras.isLocalOnly, to: &writer)
    }

    /// Refuses custom members that FCM keeps for itself.
    static func checkKeys(_ content: Content) throws(RenderError) {
        for member in content.data where isReserved(member.name) {
            throw reserved(member.name, at: "content.data.\(member.name)")
        }
        guard let key = content.attachment?.key, isReserved(key) else { return }
        throw reserved(key, at: "content.attachment.key")
    }

    static func reserved(_ key: String, at member: String) -> RenderError {
        RenderError(
            code: .reservedKey,
            platform: .fcmV1,
            member: member,
            reason: "FCM keeps the data key \(key) for itself"
        )
    }

    /// Whether FCM keeps a data key for itself.
    ///
    /// Firebase names `from`, `gcm` and all that starts with `google` ("ErrorCode"), and `message_type` and all that starts
    /// with `gcm.notification` ("Message types"); `collapse_key` would be overwritten. As the device's SDK takes away more
    /// than that, every key that starts with `gcm` is refused.
    static func isReserved(_ name: String) -> Bool {
        switch name {
        case "from", "collapse_key", "message_type": true
        default: name.utf8.starts(with: "google".utf8) || name.utf8.starts(with: "gcm".utf8)
        }
    }
}
