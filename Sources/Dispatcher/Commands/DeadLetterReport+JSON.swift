import AMQP
import DispatchCore
import FoundationEssentials

extension DeadLetterReport {
    static func json(_ letter: DeadLetterSummary, _ content: DeadLetterContent? = nil) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        write(letter, to: &writer)
        if let content { write(content, to: &writer) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ letter: DeadLetterSummary, to writer: inout JSONWriter) {
        writer.key("id")
        writer.number(letter.id)
        let texts: [(String, String?)] = [
            ("state", letter.state), ("reason", letter.reason), ("detail", letter.detail), ("path", letter.path),
            ("hub", letter.hub), ("messageId", letter.messageID), ("queue", letter.queue),
            ("exchange", letter.exchange), ("routingKey", letter.routingKey),
            ("receivedAt", letter.receivedAt.rfc3339), ("publishedAt", letter.publishedAt?.rfc3339),
            ("lastSeenAt", letter.lastSeenAt.rfc3339), ("replayedAt", letter.replayedAt?.rfc3339),
            ("discardedAt", letter.discardedAt?.rfc3339),
        ]
        for (name, text) in texts {
            guard let text else { continue }
            writer.key(name)
            writer.string(text)
        }
        for (name, number) in [
            ("offset", letter.offset), ("timesSeen", letter.timesSeen), ("replays", letter.replays),
            ("byteCount", letter.byteCount),
        ] {
            guard let number else { continue }
            writer.key(name)
            writer.number(number)
        }
    }

    private static func write(_ content: DeadLetterContent, to writer: inout JSONWriter) {
        let message = content.rejection.message
        if let type = message.properties.contentType {
            writer.key("contentType")
            writer.string(type)
        }
        if let headers = content.headers {
            writer.key("headers")
            writer.raw(headers)
        }
        if let text = String(validating: message.body, as: UTF8.self) {
            writer.key("body")
            writer.string(text)
        } else {
            writer.key("bodyBase64")
            writer.string(Data(message.body).base64EncodedString())
        }
    }
}
