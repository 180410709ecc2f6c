/// Renders messages for Firebase Cloud Messaging HTTP v1.
///
/// - Title and body make a notification that Android draws; without either the message is data only, and badge and
///   sound are handed over in `data` instead of `android.notification`.
/// - FCM has no subtitle: it is dropped. It has no category and no thread either: both go to `data`, where the app looks
///   for buttons and group, and the category is also the `click_action`. A data member of the job with the same name
///   wins.
/// - `data` takes strings only: strings stay, every other value becomes its compact JSON text.
/// - The tag, by which a shown notification is replaced, is the collapse key or else the job's id. The `collapse_key`
///   is written only when the job has one, since FCM keeps no more than four per device apart.
public enum FCMRenderer {
    /// The longest time FCM keeps a message: four weeks.
    static let longestTTL: Int64 = 2_419_200

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard isDrawn(content) || !content.data.isEmpty || !derivedData(content).isEmpty else {
            throw RenderError(code: .emptyContent, platform: .fcmV1, reason: "there is nothing to draw and no data")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("message")
        let split = beginMessage(&writer)
        writeNotification(content, to: &writer)
        try writeData(content, to: &writer)
        writeAndroid(content, in: context, to: &writer)
        writer.endObject()
        writer.endObject()
        return try push(writer.bytes, split: split, options: context.options)
    }

    /// Takes a message, with or without the `message` around it, and adds the token alone.
    ///
    /// The job's options are not written into it.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard let members = payload.members else { throw malformed("the message is not an object") }
        let isWrapped = payload["message"] != nil
        let envelope = isWrapped ? members : [JSONMember(name: "message", value: payload)]
        var writer = JSONWriter()
        var split = 0
        writer.beginObject()
        for member in envelope {
            writer.key(member.name)
            if member.name == "message" {
                split = try writeNativeMessage(member.value, to: &writer)
            } else {
                writer.value(member.value)
            }
        }
        writer.endObject()
        return try push(writer.bytes, split: split, options: context.options)
    }

    private static func writeNativeMessage(
        _ message: JSONValue,
        to writer: inout JSONWriter
    ) throws(RenderError) -> Int {
        guard let members = message.members else { throw malformed("message is not an object") }
        for target in ["token", "topic", "condition", "fid"] where message[target] != nil {
            throw malformed("the message has a member \(target), but the hub addresses it")
        }
        let split = beginMessage(&writer)
        writer.members(members)
        writer.endObject()
        return split
    }

    /// Opens the message with an empty token, and returns the position of what the token is.
    private static func beginMessage(_ writer: inout JSONWriter) -> Int {
        writer.beginObject()
        writer.member("token", "")
        return writer.bytes.count - 1
    }

    private static func push(
        _ body: [UInt8],
        split: Int,
        options: PushOptions
    ) throws(RenderError) -> PreparedPush {
        let limit = Platform.fcmV1.payloadLimit
        guard body.count <= limit else { throw .tooLarge(body.count, limit: limit, platform: .fcmV1) }
        return PreparedPush(
            platform: .fcmV1,
            bodyHead: Array(body[..<split]),
            bodyTail: Array(body[split...]),
            embedsChannel: true,
            expiresAt: options.expiresAt
        )
    }

    private static func malformed(_ reason: String) -> RenderError {
        RenderError(code: .malformedNative, platform: .fcmV1, reason: reason)
    }
}
