/// Renders payload and headers for the Apple Push Notification service.
///
/// - What is shown, counted or played is an alert; a content that only wakes the app is a background push, whose `aps`
///   holds `content-available` alone; a Live Activity has a push type of its own. `options.apns.pushType` chooses
///   another type, within Apple's rules.
/// - Custom members stand beside `aps`: the attachment's address, the notification's own actions, the rich content's id,
///   message and type, the link, the job's id, then the job's data. A data member wins over a derived one of its name.
/// - What Apple has no place for is left out: the fallback of a text that the app brings, launch image and summary
///   without a text, the subtitle and the badge of a Live Activity.
public enum APNsRenderer {
    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        let type = try pushType(of: content, asked: context.options.platforms.pushType)
        try check(content)
        let notification = context.options.notification.description
        var writer = JSONWriter()
        writer.beginObject()
        if type.hasAPS {
            writer.key("aps")
            writer.beginObject()
            writeAPS(content, type: type, now: context.now, to: &writer)
            writer.endObject()
        }
        writeCustomMembers(of: content, notification: notification, to: &writer)
        writer.endObject()
        return try push(writer.bytes, type: type, notification: notification, in: context)
    }

    /// Adds the headers of `type` to a body, whose size it checks.
    static func push(
        _ body: [UInt8],
        type: APNsPushType,
        notification: String,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        let options = context.options
        guard body.count <= type.payloadLimit else {
            throw .tooLarge(body.count, limit: type.payloadLimit, platform: .apns)
        }
        return PreparedPush(
            platform: .apns,
            bodyHead: body,
            headers: [
                PushHeader("apns-push-type", type.rawValue),
                PushHeader("apns-priority", type.priority(for: options.priority)),
                PushHeader("apns-collapse-id", collapseID(for: options.collapseKey) ?? notification),
            ],
            topicSuffix: type.topicSuffix,
            expiresAt: options.expiresAt,
            isNowOrNever: options.isNowOrNever || type.isNowOrNever(expiresAt: options.expiresAt, now: context.now)
        )
    }

    private static func check(_ content: Content) throws(RenderError) {
        guard !content.isSilent || !content.data.isEmpty || content.rich != nil || content.liveActivity != nil else {
            throw RenderError(code: .emptyContent, platform: .apns, reason: "there is nothing to show and no data")
        }
        guard !content.data.contains(where: { $0.name == "aps" }) else {
            let reason = "data must not have a member aps"
            throw RenderError(code: .reservedKey, platform: .apns, member: "content.data.aps", reason: reason)
        }
        guard content.apns?.isMutable != true || content.hasText else {
            throw .rule("content.apns.mutableContent", "the app's extension runs for a title, subtitle or body alone")
        }
    }
}

extension RenderError {
    /// Apple refuses what the member `member` says, or would not act on it.
    static func rule(_ member: String, _ reason: String) -> RenderError {
        RenderError(code: .vendorRule, platform: .apns, member: member, reason: reason)
    }
}
