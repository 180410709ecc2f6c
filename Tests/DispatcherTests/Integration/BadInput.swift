import Foundation

/// One message that is no job, and what must be said of it.
struct BadInput: Sendable {
    let name: String
    let job: Job
    let reason: String
    let path: String
    var offset: Int = -1

    /// A valid job with one thing changed.
    private static func changed(
        _ name: String,
        _ old: String,
        _ new: String,
        _ reason: String,
        _ path: String,
        at mark: String? = nil
    ) -> BadInput {
        let id = UUID().uuidString.lowercased()
        let valid = #"{"id":"\#(id)","hub":"default","to":{"tags":"well"},"content":{"title":"Hello"},"options":{}}"#
        let body = valid.replacingOccurrences(of: old, with: new)
        let offset = mark.flatMap { body.range(of: $0, options: .backwards) }
            .map { body.utf8.distance(from: body.startIndex, to: $0.lowerBound) }
        return BadInput(name: name, job: Job(raw: Array(body.utf8)), reason: reason, path: path, offset: offset ?? -1)
    }

    /// Its offset counts within the expression.
    private static var expression: BadInput {
        var input = changed("bad expression", #""well""#, #""well &&""#, "badExpression", "$.to.tags")
        input.offset = 7
        return input
    }

    private static func raw(_ name: String, _ body: [UInt8], offset: Int = -1, reason: String = "invalidJSON")
        -> BadInput
    {
        BadInput(name: name, job: Job(raw: body), reason: reason, path: "$", offset: offset)
    }

    private static var head: String {
        #"{"id":"\#(UUID().uuidString.lowercased())","to":{"tags":"well"},"content":{"title":""#
    }

    static var all: [BadInput] {
        // The object, its content and the data are three levels; the 30th bracket is level 33.
        let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let tail = Array(#""}}"#.utf8)
        return [
            raw("empty", [], offset: 0),
            raw("malformed", Array(#"{"id":}"#.utf8), offset: 6),
            raw("cut off", Array(#"{"to":{"tags":"well""#.utf8), offset: 20),
            raw("no object", Array("[1,2]".utf8), reason: "wrongType"),
            raw("huge", Array(head.utf8) + [UInt8](repeating: 0x78, count: 1_048_576) + tail, reason: "bodyTooLarge"),
            raw("invalid UTF-8", Array(head.utf8) + [0xFF] + tail, offset: head.utf8.count),
            raw("raw NUL", Array(head.utf8) + [0x00] + tail, offset: head.utf8.count),
            changed("escaped NUL", "Hello", #"a\u0000"#, "invalidJSON", "$", at: #"\u"#),
            changed("lone surrogate", "Hello", #"a\ud800"#, "invalidJSON", "$", at: #"\u"#),
            changed(
                "nested",
                #"{"title":"Hello"}"#,
                #"{"data":{"a":\#(deep)}}"#,
                "invalidJSON",
                "$",
                at: "[]"
            ),
            changed("twice", #""options""#, #""hub":"default","options""#, "invalidJSON", "$", at: #""hub""#),
            changed("wrong type", #""Hello""#, "7", "wrongType", "$.content.title"),
            changed("null", #""Hello""#, "null", "wrongType", "$.content.title"),
            changed("unknown member", #""title""#, #""titel""#, "unknownMember", "$.content.titel"),
            expression,
            changed("no audience", #""to":{"tags":"well"},"#, "", "missingMember", "$.to"),
            changed("nobody", #"{"tags":"well"}"#, #"{"users":[]}"#, "emptyAudience", "$.to.users"),
            changed("unknown hub", #""default""#, #""nowhere""#, "unknownHub", "$.hub"),
            changed("bad id", #""id":""#, #""id":"x"#, "invalidFormat", "$.id"),
            changed("bad time", #""options":{}"#, #""options":{"sendAt":"soon"}"#, "invalidFormat", "$.options.sendAt"),
            changed("bad priority", "{}", #"{"priority":"max"}"#, "outOfRange", "$.options.priority"),
        ]
    }
}
