/// Writes what an app on Android finds in `data`: the job's own members, then what its platform has no other place for.
///
/// - A member of the job's `data` wins over a member of the hub with the same name; the attachment's key comes next.
/// - The hub's members: `notificationId`, `category`, `thread`, `link`, `targetContentId`, `actions` (in the shape of a
///   category's), `richId`, `richMessage`, `richType`, `summary`, `interruptionLevel`.
/// - Where the app draws by itself also `title`, `subtitle`, `body` (with `…LocKey` and `…LocArgs` for texts of its own),
///   `badge` and `sound` (`none` for silence).
struct AndroidData {
    /// Whether every value must be a string: strings stay, all others become their compact JSON text.
    let isTextOnly: Bool

    private let own: [JSONMember]
    private let attachmentKey: String?

    /// Takes the names that are not the hub's to use.
    init(_ content: Content, isTextOnly: Bool) {
        self.isTextOnly = isTextOnly
        own = content.data
        attachmentKey = content.attachment?.key
    }

    /// Writes the members into the object that is open; what is not `isDrawn` by the system is left to the app.
    func write(
        _ content: Content,
        id: String,
        in context: RenderContext,
        isDrawn: Bool,
        to writer: inout JSONWriter
    ) {
        writeMembers(content, id: id, in: context, to: &writer)
        guard !isDrawn else { return }
        writeAlert(content, to: &writer)
        write("badge", content.badgeCount, to: &writer)
    }

    private func writeMembers(_ content: Content, id: String, in context: RenderContext, to writer: inout JSONWriter) {
        for member in own { write(member, to: &writer) }
        if let attachment = content.attachment, !isOwn(attachment.key) {
            writer.member(attachment.key, attachment.url)
        }
        write("notificationId", id, to: &writer)
        write("category", content.category, to: &writer)
        write("thread", content.thread, to: &writer)
        write("link", content.link, to: &writer)
        write("targetContentId", content.targetContentID, to: &writer)
        writeActions(content.buttons(in: context), to: &writer)
        if let rich = content.rich { write(rich, to: &writer) }
        if let summary = content.summary { write(summary, to: &writer) }
        write("interruptionLevel", content.interruptionLevel?.rawValue, to: &writer)
    }

    /// Writes what the system would have drawn and played.
    private func writeAlert(_ content: Content, to writer: inout JSONWriter) {
        writeText(content.title, ("title", "titleLocKey", "titleLocArgs"), to: &writer)
        writeText(content.subtitle, ("subtitle", "subtitleLocKey", "subtitleLocArgs"), to: &writer)
        writeText(content.body, ("body", "bodyLocKey", "bodyLocArgs"), to: &writer)
        write("sound", content.sound?.spokenName, to: &writer)
    }

    /// Writes a string of the hub.
    func write(_ name: String, _ text: String?, to writer: inout JSONWriter) {
        guard let text, !isTaken(name) else { return }
        writer.member(name, text)
    }

    /// Writes a number of the hub.
    func write(_ name: String, _ number: Int?, to writer: inout JSONWriter) {
        guard let number, !isTaken(name) else { return }
        if isTextOnly { writer.member(name, String(number)) } else { writer.member(name, number) }
    }

    /// Writes a boolean of the hub.
    func write(_ name: String, _ flag: Bool?, to writer: inout JSONWriter) {
        guard let flag, !isTaken(name) else { return }
        if isTextOnly { writer.member(name, flag ? "true" : "false") } else { writer.member(name, flag) }
    }

    private func isOwn(_ name: String) -> Bool {
        own.contains { $0.name.hasSameBytes(as: name) }
    }

    private func isTaken(_ name: String) -> Bool {
        isOwn(name) || attachmentKey?.hasSameBytes(as: name) == true
    }
}

extension AndroidData {
    private func write(_ member: JSONMember, to writer: inout JSONWriter) {
        guard isTextOnly else { return writer.members([member]) }
        switch member.value {
        case .string(let text): writer.member(member.name, text)
        case .number(let number): writer.member(member.name, number.text)
        case .null, .bool, .array, .object: writer.member(member.name, JSONWriter.encode(member.value))
        }
    }

    private func write(_ rich: RichContent, to writer: inout JSONWriter) {
        for member in rich.members where !isTaken(member.name) { write(member, to: &writer) }
    }

    private func write(_ summary: Summary, to writer: inout JSONWriter) {
        write("summary", to: &writer) { writer in
            writer.beginObject()
            writer.member("argument", summary.argument)
            writer.member("count", summary.count)
            writer.endObject()
        }
    }

    private func writeActions(_ actions: [CategoryAction], to writer: inout JSONWriter) {
        guard !actions.isEmpty else { return }
        write("actions", to: &writer) { writer in
            writer.beginArray()
            for action in actions { action.write(to: &writer) }
            writer.endArray()
        }
    }

    private func writeText(
        _ text: LocalizableText?,
        _ names: (text: String, key: String, arguments: String),
        to writer: inout JSONWriter
    ) {
        guard let text else { return }
        write(names.text, text.text, to: &writer)
        guard case .keyed(let key, let arguments, _) = text else { return }
        write(names.key, key, to: &writer)
        guard !arguments.isEmpty else { return }
        write(names.arguments, to: &writer) { $0.array(arguments.map(JSONValue.string)) }
    }

    /// Writes a value that is no string: as it is, or as its JSON text.
    private func write(_ name: String, to writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        guard !isTaken(name) else { return }
        guard isTextOnly else {
            writer.key(name)
            return body(&writer)
        }
        var text = JSONWriter()
        body(&text)
        writer.member(name, text.bytes)
    }
}
