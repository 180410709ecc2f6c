/// Renders messages for Web Push (RFC 8030): the JSON that the app's service worker gets, before it is encrypted.
///
/// `notification` can be handed to `registration.showNotification(notification.title, notification)` as it is. Members and
/// their rules are those of WHATWG, "Notifications API", review draft of January 2026, "create a notification".
///
/// - Every push must be shown, or the browser shows one of its own or ends the subscription (Apple, "Sending web push
///   notifications in web apps and browsers"; Push API, `userVisibleOnly`): content without a text is refused, so are
///   data or a badge alone.
/// - A title is demanded: it is the first of title, subtitle and body that is there; the others are the body's lines.
/// - The tag, by which a shown notification is replaced, is `browser.tag`, or the collapse key, or else the job's id.
///   Never the thread: messages of one thread must not replace each other.
/// - `renotify` is refused without a tag or a collapse key of the job, unless it replaces another: the job's own id would
///   only make a repeated push alert twice.
/// - `silent` follows from sound `none` and from the level passive, `requireInteraction` from the levels time-sensitive
///   and critical; `browser` wins. A vibration together with silence is refused, as browsers throw a TypeError.
/// - All actions are written, and browsers skip what they have no room for. An icon is written when it begins with
///   https. A field for text has no standard member, so such an action is a plain button.
/// - `app_badge` is the number, for the worker's `setAppBadge` and for WebKit's own.
/// - With a link that begins with https the message is also declarative (W3C, "Push API", declarative push message):
///   Safari shows it without the worker and opens the link by itself. `mutable` lets the worker have it first; the draft
///   reads it beside `notification`, WebKit inside.
/// - `data` holds what has no member: the job's data, and by `Content.carriedMembers` link, category, thread and so on.
/// - Dropped: names and volumes of sounds, summary, relevance, and what other platforms alone know.
public enum WebPushRenderer {
    /// What encryption adds to one record: header with salt, record size and key (86 bytes), padding delimiter (1) and
    /// authentication tag (16); RFC 8188 section 2.1 and RFC 8291 section 4.
    static let encryptionOverhead = 86 + 1 + 16

    /// The largest body that every push service takes, in bytes (RFC 8030 section 7.2).
    static let bodyLimit = 4096

    /// How long a push without an expiry is kept, and the longest that is asked for: four weeks, as the service behind
    /// Chrome takes no more.
    static let longestTTL: Int64 = 2_419_200

    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try check(content, options: context.options)
        var writer = JSONWriter()
        writer.beginObject()
        let isDeclarative = content.declaredLink != nil
        if isDeclarative { writer.member("web_push", 8030) }
        writer.key("notification")
        writeNotification(content, in: context, to: &writer)
        if isDeclarative { writer.member("mutable", true) }
        writer.endObject()
        return try push(writer.bytes, options: context.options)
    }

    /// Takes a message as it is, an object as compact JSON; only its size is looked at.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try push(payload.string.map { Array($0.utf8) } ?? JSONWriter.encode(payload), options: context.options)
    }

    /// Adds the header fields that the job decides (RFC 8030 sections 5.3 and 5.4, RFC 8291 section 4).
    static func push(_ body: [UInt8], options: PushOptions) throws(RenderError) -> PreparedPush {
        let urgency = options.platforms.urgency ?? urgency(of: options.priority)
        var headers = [
            PushHeader("Content-Type", "application/octet-stream"),
            PushHeader("Content-Encoding", "aes128gcm"),
            PushHeader("Urgency", urgency.rawValue),
        ]
        if let key = options.collapseKey { headers.append(PushHeader("Topic", topic(of: key))) }
        return try .fitting(body, platform: .browser, headers: headers, options: options)
    }

    /// The base64url of the digest's first 24 bytes: 32 characters, all that a topic may have, and a multiple of four as
    /// Apple decodes it.
    static func topic(of key: String) -> String {
        String(SHA256Digest(of: key.utf8).base64URL.prefix(32))
    }

    private static func urgency(of priority: SendPriority) -> WebPushUrgency {
        switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }

    private static func check(_ content: Content, options: PushOptions) throws(RenderError) {
        guard content.liveActivity == nil else {
            throw RenderError(
                code: .notExpressible,
                platform: .browser,
                member: "content.liveActivity",
                reason: "browsers have no Live Activities"
            )
        }
        guard !content.shownTexts.isEmpty else {
            let reason = "a browser must show every push: a title, subtitle or body is needed"
            throw broken("content", reason)
        }
        let isTagged = content.browser?.tag != nil || options.collapseKey != nil || options.isReplacement
        guard content.browser?.renotifies != true || isTagged else {
            let reason = "renotify needs a tag or a collapse key that names what is replaced"
            throw broken("content.browser.renotify", reason)
        }
        guard content.isQuiet != true || content.browser?.vibration.isEmpty != false else {
            throw broken("content.browser.vibrate", "a browser refuses a vibration together with silence")
        }
    }

    private static func broken(_ member: String, _ reason: String) -> RenderError {
        RenderError(code: .vendorRule, platform: .browser, member: member, reason: reason)
    }
}
