/// Renders messages for Windows Push Notification Services.
///
/// - Text makes a toast of the generic template: title, subtitle and body, as many lines as are there (Microsoft, "App
///   notification content": one to three). A badge without text makes a badge notification, data without either a raw one
///   that the app's own code gets. A push is one of these: a toast drops the number, a badge drops the data.
/// - A raw push holds what a click would hand over, and the texts, number, sound and buttons for the app to show.
/// - What a click hands to the app (`launch`) is `wns.launch` as it is, or else JSON: the job's data and by
///   `Content.carriedMembers` the job's id, link, category, thread, rich content and so on. A button's arguments are JSON of
///   its id (`action`) and the job's (`notificationId`).
/// - Buttons come from the content's actions or else the category's. Five are the most ("actions"), so further ones are
///   dropped; so is the sixth field, whose button stays. The fields of `wns.inputs` come first. An action without the
///   option foreground runs in the background; destructive ones are red; icons are written when all buttons have one that
///   Windows can fetch. That the device must be unlocked first has no form.
/// - The sound is `wns.audio`, or silence for `none` and for a passive notification that names no sound, or a name that is
///   an address Windows knows (`ms-winsoundevent:`, `ms-appx:`, `ms-appdata:`, `ms-resource:`). Another name is a file of
///   another platform's app: Windows plays its own. A loop makes the toast long, as it must be ("audio").
/// - The levels time-sensitive and critical make the scenario urgent, unless `wns.scenario` says another. A
///   reminder or alarm without a button is shown like any other toast ("scenarios").
/// - Dropped: summary, relevance, films and sounds among attachments (their address is handed to the app), circles around
///   hero images, and what other platforms alone know.
public enum WNSRenderer {
    /// Renders resolved neutral content.
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard content.liveActivity == nil else {
            throw inexpressible("content.liveActivity", "Windows has no Live Activities")
        }
        let kind = try kind(of: content, requested: context.options.platforms.wns?.kind)
        let body: [UInt8] =
            switch kind {
            case .toast: try toast(content, in: context)
            case .badge, .tile: badge(content.badgeCount ?? 0)
            case .raw: raw(content, in: context)
            }
        return try push(body, kind: kind, thread: content.thread, options: context.options)
    }

    /// Takes XML or any other text as it is, and an object as raw JSON.
    ///
    /// The outermost element decides what the XML is; it must be what the job says, if it says so.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        guard let text = payload.string else {
            return try pushNative(JSONWriter.encode(payload), kind: nil, options: context.options)
        }
        return try pushNative(Array(text.utf8), kind: XMLRoot.name(in: text), options: context.options)
    }

    private static func pushNative(
        _ body: [UInt8],
        kind name: String?,
        options: PushOptions
    ) throws(RenderError) -> PreparedPush {
        guard name != "!DOCTYPE" || options.platforms.wns?.kind == .raw else {
            let reason = "the XML must have no document type, unless options.wns.type says raw"
            throw RenderError(code: .malformedNative, platform: .wns, member: "native.wns", reason: reason)
        }
        let root = name.flatMap { WNSOptions.Kind(rawValue: $0) }.flatMap { $0 == .raw ? nil : $0 }
        let kind = options.platforms.wns?.kind ?? root ?? .raw
        guard kind == .raw || kind == root else {
            throw RenderError(
                code: .malformedNative,
                platform: .wns,
                member: "native.wns",
                reason: "the outermost element must be \(kind.rawValue), as options.wns.type says"
            )
        }
        if kind != .raw { try checkWellFormed(body) }
        return try push(body, kind: kind, thread: nil, options: options)
    }

    /// WNS takes broken XML and the device drops it in silence, so it is found here.
    private static func checkWellFormed(_ body: [UInt8]) throws(RenderError) {
        var reader = XMLReader(body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body)
        do {
            while try reader.next() != nil {}
        } catch {
            throw RenderError(
                code: .malformedNative,
                platform: .wns,
                member: "native.wns",
                reason: "the XML is broken at byte \(error.offset): expected \(error.expected)"
            )
        }
    }

    /// What the content becomes, or what the job says if it can.
    private static func kind(
        of content: Content,
        requested: WNSOptions.Kind?
    ) throws(RenderError) -> WNSOptions.Kind {
        let isShown = !content.shownTexts.isEmpty
        switch requested {
        case .raw: return .raw
        case .toast where !isShown: throw broken("options.wns.type", "a toast needs a title, subtitle or body")
        case .badge where content.badgeCount == nil: throw broken("options.wns.type", "a badge needs a number")
        case .tile: throw inexpressible("options.wns.type", "a tile can only be sent as native XML")
        case .toast, .badge: return requested ?? .toast
        case nil where isShown: return .toast
        case nil where content.badgeCount != nil: return .badge
        case nil where !content.data.isEmpty || content.rich != nil: return .raw
        case nil where content.sound != nil:
            throw inexpressible("content.sound", "Windows plays no sound without a text")
        case nil:
            throw RenderError(code: .emptyContent, platform: .wns, reason: "there is nothing to show and no data")
        }
    }

    private static func badge(_ count: Int) -> [UInt8] {
        Array("<badge value=\"\(count)\"/>".utf8)
    }

    /// What the app is handed anyway, and what it may want to show.
    private static func raw(_ content: Content, in context: RenderContext) -> [UInt8] {
        let members = content.carriedMembers(of: context.options.notification)
        func isFree(_ name: String) -> Bool { !members.contains { $0.name.hasSameBytes(as: name) } }
        let actions = content.buttons(in: context)
        let texts = [
            ("title", content.title?.text), ("subtitle", content.subtitle?.text), ("body", content.body?.text),
            ("sound", content.sound == .silent ? "none" : content.sound?.name),
        ]
        var writer = JSONWriter()
        writer.beginObject()
        writer.members(members)
        for (name, text) in texts where isFree(name) { writer.member(name, text) }
        if isFree("badge") { writer.member("badge", content.badgeCount) }
        if !actions.isEmpty, isFree("actions") {
            writer.key("actions")
            writer.beginArray()
            for action in actions { action.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    static func broken(_ member: String, _ reason: String) -> RenderError {
        RenderError(code: .vendorRule, platform: .wns, member: member, reason: reason)
    }

    private static func inexpressible(_ member: String, _ reason: String) -> RenderError {
        RenderError(code: .notExpressible, platform: .wns, member: member, reason: reason)
    }
}
