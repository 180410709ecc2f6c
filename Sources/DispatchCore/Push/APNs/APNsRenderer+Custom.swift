extension APNsRenderer {
    /// Writes what stands beside `aps`: what is derived from the content, then its data.
    ///
    /// No name is written twice: data wins over the attachment's key, and both win over the names of the hub.
    static func writeCustomMembers(of content: Content, notification: String, to writer: inout JSONWriter) {
        if let attachment = content.attachment, !content.hasData(attachment.key) {
            writer.member(attachment.key, attachment.url)
        }
        if !content.actions.isEmpty, content.isFree("actions") { write(content.actions, to: &writer) }
        if let rich = content.rich {
            if let id = rich.id, content.isFree("richId") { writer.member("richId", id) }
            if content.isFree("richMessage") { writer.member("richMessage", rich.message) }
            if content.isFree("richType") { writer.member("richType", rich.type) }
        }
        if let link = content.link, content.isFree("link") { writer.member("link", link) }
        if content.isFree("notificationId") { writer.member("notificationId", notification) }
        writer.members(content.data)
    }

    /// The notification's own actions, in the shape in which a category declares them.
    private static func write(_ actions: [CategoryAction], to writer: inout JSONWriter) {
        writer.key("actions")
        writer.beginArray()
        for action in actions {
            action.write(to: &writer)
        }
        writer.endArray()
    }
}

extension Content {
    fileprivate func hasData(_ name: String) -> Bool {
        data.contains { $0.name.hasSameBytes(as: name) }
    }

    fileprivate func isFree(_ name: String) -> Bool {
        !hasData(name) && attachment?.key != name
    }
}
