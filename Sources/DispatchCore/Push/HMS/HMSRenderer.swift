/// Renders messages for Huawei Push Kit, API versions 1 and 2 (Huawei, "Sending Downlink Messages").
///
/// - Title and body make a notification that the system draws. Huawei demands both: the one that is lacking, or that has a
///   key without a fallback, is a single space. Without either the message is data only.
/// - `data` is one string: the compact JSON text of the job's data and the hub's members (`AndroidData`); numbers stay
///   numbers in it.
/// - A text with a key is written as `title_loc_key`, which Huawei lets override the title: the fallback stands beside it.
/// - `click_action`, which Huawei demands, is `hms.clickIntent`, else the link (https opens a page, any other scheme is an
///   intent), else it starts the app.
/// - Buttons are the first three actions without a text input: each starts the app and hands over `action` and
///   `notificationId`; a name is cut to Huawei's 40 characters. All actions stand in `data` too.
/// - A badge needs `hms.badgeClass` and is at most 99; without a class the number is handed over in `data`.
/// - A sound is a resource (`bell.caf` is `/raw/bell`), `default` is the phone's own, and `none` asks for low importance,
///   since Huawei plays its own for a missing one. The importance is `hms.importance`, else low for passive, normal for
///   the other interruption levels.
/// - A collapse key becomes the `collapse_key` group (its hash modulo 100, plus 1), the tag and the `notify_id`; without
///   one the job's id is the tag. `hms.notifyId` stands alone, since tag and id would name another notification together.
/// - Dropped: subtitle where the system draws, relevance, an attachment's own picture when it is none, and the `apns`,
///   `fcmV1`, `browser` and `wns` parts.
public enum HMSRenderer {
    /// The longest time Push Kit keeps a message: 15 days.
    static let longestTTL: Int64 = 1_296_000

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try content.checkAndroid(.hms)
        let id = context.options.notification.description
        var writer = JSONWriter(capacity: 1024)
        // The token stands before it.
        writer.bytes += Array(#""]"#.utf8)
        writer.member("data", data(content, id: id, in: context))
        writeNotification(content, to: &writer)
        writeAndroid(content, id: id, in: context, to: &writer)
        writer.endObject()
        writer.endObject()
        return try push(head: head, tail: writer.bytes, options: context.options)
    }

    /// Makes the push of what stands before and after the token.
    static func push(head: [UInt8], tail: [UInt8], options: PushOptions) throws(RenderError) -> PreparedPush {
        try .fitting(head, tail, platform: .hms, headers: headers, options: options)
    }

    private static func data(_ content: Content, id: String, in context: RenderContext) -> [UInt8] {
        let data = AndroidData(content, isTextOnly: false)
        var writer = JSONWriter()
        writer.beginObject()
        data.write(content, id: id, in: context, isDrawn: content.hasAndroidText, to: &writer)
        if content.hasAndroidText, content.hms?.badgeClass == nil {
            data.write("badge", content.badgeCount, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static let head = Array(#"{"message":{"token":[""#.utf8)
    private static let headers = [PushHeader("content-type", "application/json;charset=UTF-8")]
}
