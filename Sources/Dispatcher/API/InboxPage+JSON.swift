import DispatchCore

extension InboxPage {
    /// The answer to who asks for it.
    var document: [UInt8] {
        var writer = JSONWriter(capacity: 256 + items.reduce(0) { $0 + $1.body.count + 256 })
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        writer.key("unread")
        writeCounts(to: &writer)
        if let next {
            writer.key("next")
            writer.string(next.text)
        }
        writer.endObject()
        return writer.bytes
    }

    private func writeCounts(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("total")
        writer.number(unread)
        writer.key("threads")
        writer.beginObject()
        for thread in threads {
            writer.key(thread.name)
            writer.number(thread.unread)
        }
        writer.endObject()
        writer.endObject()
    }
}

extension InboxPage.Item {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(job.description)
        writer.key("number")
        writer.number(position.notification.rawValue)
        writer.key("thread")
        if let thread { writer.string(thread) } else { writer.null() }
        writer.key("createdAt")
        writer.string(position.time.rfc3339)
        writer.key("readAt")
        if let readAt { writer.string(readAt.rfc3339) } else { writer.null() }
        if let content {
            writer.key(content.name)
            writer.value(content.value)
        }
        writer.endObject()
    }

    /// What was sent, in the sender's words: `content`, `native` or `template`.
    ///
    /// The bytes of rich content are fetched, not listed. Nil for a body that this version cannot read.
    private var content: JSONMember? {
        guard let job = try? JSONParser.parse(body) else { return nil }
        for name in ["content", "native", "template"] {
            guard let value = job[name] else { continue }
            return JSONMember(name: name, value: name == "content" ? value.withoutRichBytes : value)
        }
        return nil
    }
}

extension JSONValue {
    fileprivate var withoutRichBytes: JSONValue {
        replacing("rich") { rich in
            rich.replacing("content") { content in
                .object((content.members ?? []).filter { $0.name != "data" })
            }
        }
    }

    /// The object with one member changed, where it has such an object.
    private func replacing(_ name: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard let members, self[name]?.members != nil else { return self }
        return .object(members.map { $0.name == name ? JSONMember(name: name, value: change($0.value)) : $0 })
    }
}

extension InboxStore.Reading {
    /// The answer to who marks something.
    var document: [UInt8] { Array(#"{"read":\#(count),"unread":\#(unread)}"#.utf8) }
}
