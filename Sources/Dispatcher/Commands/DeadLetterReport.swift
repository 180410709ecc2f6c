import AMQP
import DispatchCore
import FoundationEssentials

/// Dead letters, and what was done with them, in words.
enum DeadLetterReport {
    private static let heads = [
        "ID", "RECEIVED", "STATE", "SEEN", "QUEUE", "HUB", "REASON", "PATH", "BYTE", "MESSAGE ID",
    ]

    static func table(_ letters: [DeadLetterSummary]) -> String {
        let rows = [heads] + letters.map(cells)
        let widths = heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    private static func cells(_ letter: DeadLetterSummary) -> [String] {
        [
            String(letter.id), seconds(letter.receivedAt), letter.state, String(letter.timesSeen), letter.queue,
            letter.hub ?? "-", letter.reason, letter.path ?? "-", letter.offset.map { String($0) } ?? "-",
            letter.messageID ?? "-",
        ].map(ShownText.line)
    }

    private static func seconds(_ time: Timestamp) -> String {
        Timestamp(microseconds: time.microseconds - time.microseconds % 1_000_000).rfc3339
    }

    static func text(_ letter: DeadLetterSummary, _ content: DeadLetterContent) -> String {
        let width = fields(letter, content).map(\.0.count).max() ?? 0
        let lines = fields(letter, content).map { name, value in
            name + String(repeating: " ", count: width + 2 - name.count) + ShownText.line(value)
        }
        return (lines + body(letter, content)).joined(separator: "\n")
    }

    private static func fields(_ letter: DeadLetterSummary, _ content: DeadLetterContent) -> [(String, String)] {
        let all: [(String, String?)] = [
            ("id", String(letter.id)), ("state", letter.state), ("reason", letter.reason), ("detail", letter.detail),
            ("path", letter.path), ("byte", letter.offset.map { String($0) }), ("hub", letter.hub),
            ("message id", letter.messageID), ("queue", letter.queue), ("exchange", letter.exchange),
            ("routing key", letter.routingKey),
            ("content type", content.rejection.message.properties.contentType), ("headers", content.headers),
            ("received", letter.receivedAt.rfc3339), ("filed", letter.publishedAt?.rfc3339),
            ("last seen", letter.lastSeenAt.rfc3339), ("times seen", String(letter.timesSeen)),
            ("replays", String(letter.replays)), ("replayed", letter.replayedAt?.rfc3339),
            ("discarded", letter.discardedAt?.rfc3339), ("bytes", String(letter.byteCount)),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    private static func body(_ letter: DeadLetterSummary, _ content: DeadLetterContent) -> [String] {
        let bytes = content.rejection.message.body
        let cut = content.isWhole ? [] : ["(only the first \(bytes.count) bytes are kept)"]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return cut + ["", "body, in base64:", Data(bytes).base64EncodedString()] + mark(letter, bytes)
        }
        return cut + mark(letter, bytes) + ["", "body:", ShownText.block(text)]
    }

    private static func mark(_ letter: DeadLetterSummary, _ bytes: [UInt8]) -> [String] {
        MistakeMark(body: bytes, path: letter.path, offset: letter.offset).map { [""] + $0.lines } ?? []
    }

    static func outcome(_ outcome: DeadQueueTurn.Outcome, isJSON: Bool) -> String {
        counts(
            [
                ("kept", outcome.kept), ("removed", outcome.removed), ("collected", outcome.collected),
                ("restored", outcome.restored), ("unrestorable", outcome.unrestorable),
            ],
            isJSON: isJSON
        )
    }

    static func tally(
        _ tally: DeadLetterTally,
        _ outcome: DeadQueueTurn.Outcome?,
        word: String,
        isJSON: Bool
    ) -> String {
        let done = [(word, tally.done.count), ("skipped", tally.skipped.count), ("failed", tally.failed.count)]
        let queue = outcome.map { [("removed", $0.removed), ("collected", $0.collected), ("kept", $0.kept)] } ?? []
        return counts(done + queue, isJSON: isJSON)
    }

    static func rehearsal(due: Int, others: Int, word: String, isJSON: Bool) -> String {
        counts([("would be \(word)", due), ("skipped", others)], isJSON: isJSON)
    }

    private static func counts(_ counts: [(name: String, value: Int)], isJSON: Bool) -> String {
        guard isJSON else { return counts.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in counts {
            writer.key(name.hasPrefix("would be ") ? "due" : name)
            writer.number(value)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
