/// Renders messages for Firebase Cloud Messaging HTTP v1 (Firebase, "projects.messages": AndroidConfig and
/// AndroidNotification).
///
/// - Title and body make a notification that Android draws. Without either, or with `fcmV1.dataOnly`, the message is data
///   only, and everything is handed over in `data`, where the app draws (`AndroidData`).
/// - A text with a key is written as `android.notification.title_loc_key` alone: Firebase's SDK shows a literal title
///   before it looks for a key, so a fallback beside it would hide the app's own text. It is dropped.
/// - What Android has no place for: a subtitle is dropped where Android draws, as are relevance and the `apns`, `browser`,
///   `wns` and `hms` parts; a critical sound is an ordinary one, `none` leaves `sound` out (the channel decides).
/// - A badge is `notification_count`. Firebase reads 0 as its default, which counts up: only the app can take a badge away.
/// - `click_action` is `fcmV1.clickAction` alone: an app without a matching activity would not open at all. The picture is
///   `fcmV1.image`, else an attachment that is one.
/// - `notification_priority` is `fcmV1.notificationPriority`, else the interruption level's: passive is low, active is
///   left out, time-sensitive is high, critical is max.
/// - The tag, by which a shown notification is replaced, is `fcmV1.tag`, else the collapse key, else the job's id. The
///   `collapse_key` is written only when the job has one, since FCM keeps no more than four per device apart.
/// - A silent content is data only with normal priority, unless it announces a call; else the job's priority decides, `low`
///   counting as normal.
public enum FCMRenderer {
    /// The longest time FCM keeps a message: four weeks.
    static let longestTTL: Int64 = 2_419_200

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try content.checkAndroid(.fcmV1)
        try checkKeys(content)
        let id = context.options.notification.description
        var writer = JSONWriter()
        // The token stands before it; its closing quote is the first byte after.
        writer.bytes.append(UInt8(ascii: "\""))
        writeNotification(content, to: &writer)
        writeData(content, id: id, in: context, to: &writer)
        writeAndroid(content, id: id, in: context, to: &writer)
        writer.endObject()
        writer.endObject()
        return try push(head: head, tail: writer.bytes, options: context.options)
    }

    /// Whether Android draws the message; otherwise the app does, or nobody.
    static func isDrawn(_ content: Content) -> Bool {
        content.hasAndroidText && content.fcmV1?.isDataOnly != true
    }

    /// Makes the push of what stands before and after the token.
    static func push(head: [UInt8], tail: [UInt8], options: PushOptions) throws(RenderError) -> PreparedPush {
        try .fitting(head, tail, platform: .fcmV1, headers: headers, options: options)
    }

    private static let head = Array(#"{"message":{"token":""#.utf8)
    private static let headers = [PushHeader("content-type", "application/json")]
}
