import DispatchCore

/// A job spelled out in arguments.
struct JobArguments {
    let json: [UInt8]

    init(audience: String, _ arguments: inout ArgumentList) throws(UsageError) {
        var writer = JSONWriter()
        writer.beginObject()
        try Self.writeHub(&writer, &arguments)
        writer.key("to")
        Self.writeAudience(audience, &writer)
        writer.key("content")
        try Self.writeContent(&writer, &arguments)
        writer.key("options")
        try Self.writeOptions(&writer, &arguments)
        writer.endObject()
        json = writer.bytes
    }

    private static func writeHub(_ writer: inout JSONWriter, _ arguments: inout ArgumentList) throws(UsageError) {
        writer.key("hub")
        writer.string(try arguments.option("--hub") ?? "default")
    }

    private static func writeAudience(_ audience: String, _ writer: inout JSONWriter) {
        writer.beginObject()
        if audience == "broadcast" {
            writer.key("broadcast")
            writer.bool(true)
        } else if audience.hasPrefix("user:") {
            writeList("users", audience.dropFirst(5), &writer)
        } else if audience.hasPrefix("installation:") {
            writeList("installations", audience.dropFirst(13), &writer)
        } else {
            writer.key("tags")
            writer.string(audience)
        }
        writer.endObject()
    }

    private static func writeList(_ name: String, _ id: Substring, _ writer: inout JSONWriter) {
        writer.key(name)
        writer.beginArray()
        writer.string(String(id))
        writer.endArray()
    }

    private static func writeContent(_ writer: inout JSONWriter, _ arguments: inout ArgumentList) throws(UsageError) {
        writer.beginObject()
        for name in ["title", "subtitle", "body", "category", "thread"] {
            guard let value = try arguments.option("--\(name)") else { continue }
            writer.key(name)
            writer.string(value)
        }
        if let data = try arguments.option("--data") {
            writer.key("data")
            writer.raw(data)
        }
        writer.endObject()
    }

    private static func writeOptions(_ writer: inout JSONWriter, _ arguments: inout ArgumentList) throws(UsageError) {
        writer.beginObject()
        if let priority = try arguments.option("--priority") {
            writer.key("priority")
            writer.string(priority)
        }
        for (argument, name) in [("--send-at", "sendAt"), ("--time-zone", "timeZone")] {
            guard let value = try arguments.option(argument) else { continue }
            writer.key(name)
            writer.string(value)
        }
        if let seconds = try arguments.integer("--ttl", in: 0...2_419_200) {
            writer.key("ttlSeconds")
            writer.number(seconds)
        }
        writer.endObject()
    }
}
