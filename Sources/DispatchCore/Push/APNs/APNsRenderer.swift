/// Renders payload and headers for the Apple Push Notification service.
///
/// Members stand in the order of `Content`, custom data beside `aps`. A silent content becomes a background push:
/// `aps` then holds `content-available` alone and the priority is 5, as Apple demands; category and thread are dropped.
public enum APNsRenderer {
    /// Apple's limit of `apns-collapse-id`, in UTF-8 bytes.
    static let collapseIDLimit = 64

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard !content.isSilent || !content.data.isEmpty else {
            throw RenderError(code: .emptyContent, platform: .apns, reason: "there is nothing to show and no data")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("aps")
        writeAPS(content, to: &writer)
        guard !content.data.contains(where: { $0.name == "aps" }) else {
            throw RenderError(code: .reservedKey, platform: .apns, reason: "data must not have a member aps")
        }
        writer.members(content.data)
        writer.endObject()
        return try push(writer.bytes, isSilent: content.isSilent, options: context.options)
    }

    /// Takes a payload as is; only its size, its `aps` and thereby its push type are looked at.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard let aps = payload["aps"], aps.members != nil else {
            throw RenderError(code: .malformedNative, platform: .apns, reason: "the payload has no aps object")
        }
        let isVisible = ["alert", "badge", "sound"].contains { aps[$0] != nil }
        return try push(JSONWriter.encode(payload), isSilent: !isVisible, options: context.options)
    }

    /// The key itself where it fits, else the unpadded base64url of its SHA-256 (43 bytes).
    static func collapseID(for options: PushOptions) -> String {
        guard let key = options.collapseKey else { return options.notification.description }
        return key.utf8.count <= collapseIDLimit ? key : SHA256Digest(of: key.utf8).base64URL
    }

    private static func push(
        _ body: [UInt8],
        isSilent: Bool,
        options: PushOptions
    ) throws(RenderError) -> PreparedPush {
        let limit = Platform.apns.payloadLimit
        guard body.count <= limit else { throw .tooLarge(body.count, limit: limit, platform: .apns) }
        return PreparedPush(
            platform: .apns,
            bodyHead: body,
            headers: [
                PushHeader("apns-push-type", isSilent ? "background" : "alert"),
                PushHeader("apns-priority", isSilent ? "5" : priority(options.priority)),
                PushHeader("apns-collapse-id", collapseID(for: options)),
            ],
            expiresAt: options.expiresAt,
            isNowOrNever: options.isNowOrNever
        )
    }

    private static func priority(_ priority: SendPriority) -> String {
        switch priority {
        case .high: "10"
        case .normal: "5"
        case .low: "1"
        }
    }

    private static func writeAPS(_ content: Content, to writer: inout JSONWriter) {
        writer.beginObject()
        defer { writer.endObject() }
        guard !content.isSilent else { return writer.member("content-available", 1) }
        if content.title != nil || content.subtitle != nil || content.body != nil {
            writer.key("alert")
            writer.beginObject()
            writer.member("title", content.title?.text)
            writer.member("subtitle", content.subtitle?.text)
            writer.member("body", content.body?.text)
            writer.endObject()
        }
        writer.member("badge", content.badgeCount)
        writer.member("sound", content.sound?.name)
        writer.member("category", content.category)
        writer.member("thread-id", content.thread)
    }
}
