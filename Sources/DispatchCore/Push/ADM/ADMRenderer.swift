/// Renders messages for Amazon Device Messaging (Amazon, "Send a Message" and "ADM Message Types").
///
/// - `data` holds strings only: the job's data and the hub's members (`AndroidData`); a value that is no string becomes its
///   compact JSON text.
/// - Title and body make a `notification` that Fire OS draws, with the members that Amazon took over from Firebase: tag,
///   `*_loc_key` and `*_loc_args`, sound, `notification_count`, `notification_priority` (by the interruption level) and
///   image. Without either the message is data only, and the app draws.
/// - A text with a key is written with its fallback beside it, since Amazon says not which of them its SDK shows first: a
///   phone whose SDK knows no keys still shows a text.
/// - The `consolidationKey` is the collapse key up to 64 bytes, the base64url of its SHA-256 beyond, the job's id without one.
/// - `expiresAfter` is at least 60 and at most 2 678 400 seconds: now or never is a minute.
/// - `priority` is high for an urgent job that is not silent or announces a call, else normal.
/// - `md5`, a checksum of `data`, is optional and left out: TLS guards the bytes already.
/// - Dropped: subtitle where Fire OS draws, relevance, and the `apns`, `fcmV1`, `browser`, `wns` and `hms` parts.
public enum ADMRenderer {
    /// The seconds for which ADM keeps a message.
    static let lifetime: ClosedRange<Int64> = 60...2_678_400

    /// The longest `consolidationKey`, in UTF-8 bytes.
    static let keyLimit = 64

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try content.checkAndroid(.adm)
        let options = context.options
        let id = options.notification.description
        var writer = JSONWriter()
        writer.beginObject()
        writeData(content, id: id, in: context, to: &writer)
        writeNotification(content, tag: options.collapseKey ?? id, to: &writer)
        writer.member("consolidationKey", options.collapseKey.map(consolidationKey) ?? id)
        let seconds = context.secondsLeft(atMost: lifetime.upperBound).map { max($0, lifetime.lowerBound) }
        writer.member("expiresAfter", seconds.map { Int($0) })
        writer.member("priority", content.isUrgent(options) ? "high" : "normal")
        writer.endObject()
        return try push(writer.bytes, options: options)
    }

    /// Makes the push of its body.
    static func push(_ body: [UInt8], options: PushOptions) throws(RenderError) -> PreparedPush {
        try .fitting(body, platform: .adm, headers: headers, options: options)
    }

    private static func consolidationKey(_ key: String) -> String {
        key.utf8.count <= keyLimit ? key : SHA256Digest(of: key.utf8).base64URL
    }

    private static func writeData(
        _ content: Content,
        id: String,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let data = AndroidData(content, isTextOnly: true)
        writer.key("data")
        writer.beginObject()
        data.write(content, id: id, in: context, isDrawn: content.hasAndroidText, to: &writer)
        writer.endObject()
    }

    private static func writeNotification(_ content: Content, tag: String, to writer: inout JSONWriter) {
        guard content.hasAndroidText else { return }
        writer.key("notification")
        writer.beginObject()
        writer.member("title", content.title?.text)
        writer.keyed("title_loc", content.title)
        writer.member("body", content.body?.text)
        writer.keyed("body_loc", content.body)
        writer.member("tag", tag)
        writer.member("sound", content.sound?.resourceName)
        writer.member("notification_count", content.badgeCount)
        writer.member("notification_priority", content.interruptionLevel?.androidPriority)
        writer.member("image", content.pictureURL)
        writer.endObject()
    }

    private static let headers = [
        PushHeader("content-type", "application/json"),
        PushHeader("accept", "application/json"),
        PushHeader("X-Amzn-Type-Version", "com.amazon.device.messaging.ADMMessage@1.0"),
        PushHeader("X-Amzn-Accept-Type", "com.amazon.device.messaging.ADMSendResult@1.0"),
    ]
}
