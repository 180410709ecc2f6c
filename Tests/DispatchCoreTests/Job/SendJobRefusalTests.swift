import DispatchCore
import Testing

@Suite struct SendJobRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let code: JobError.Code
        let path: String

        var testDescription: String { "\(code.rawValue) at \(path): \(body.prefix(80))" }

        init(_ body: String, _ code: JobError.Code, _ path: String) {
            self.body = body
            self.code = code
            self.path = path
        }

        static func to(_ to: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"to":\#(to),"content":{"title":"t"}}"#, code, path)
        }

        static func content(_ content: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"to":{"broadcast":true},"content":\#(content)}"#, code, path)
        }

        static func options(_ options: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"to":{"broadcast":true},"content":{"title":"t"},"options":\#(options)}"#, code, path)
        }

        static func instead(_ content: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"to":{"broadcast":true},\#(content)}"#, code, path)
        }
    }

    static func refuse(_ refusal: Refusal) {
        let error = #expect(throws: JobError.self) {
            try SendJob(decoding: Array(refusal.body.utf8), messageID: SendJobTests.id)
        }
        #expect(error?.code == refusal.code)
        #expect(error?.path == refusal.path)
        #expect(error?.reason.hasSuffix(".") == true)
        #expect(error?.reason.count ?? 0 < 240)
    }

    static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(
        "the envelope",
        arguments: [
            Refusal("", .invalidJSON, "$"),
            Refusal("not json", .invalidJSON, "$"),
            Refusal(#"{"to":1,"to":2}"#, .invalidJSON, "$"),
            Refusal(String(repeating: " ", count: (1 << 20) + 1), .bodyTooLarge, "$"),
            Refusal("[]", .wrongType, "$"),
            Refusal("null", .wrongType, "$"),
            Refusal(#"{"id":7}"#, .wrongType, "$.id"),
            Refusal(#"{"id":null}"#, .wrongType, "$.id"),
            Refusal(#"{"id":"7"}"#, .invalidFormat, "$.id"),
            Refusal(#"{"extra":7}"#, .unknownMember, "$.extra"),
            Refusal(#"{"it's":7}"#, .unknownMember, "$['it\u{FFFD}s']"),
            Refusal(#"{"hub":"","to":{}}"#, .outOfRange, "$.hub"),
            Refusal(#"{"hub":"a b"}"#, .invalidFormat, "$.hub"),
            Refusal(#"{"hub":"a:b"}"#, .invalidFormat, "$.hub"),
            Refusal(#"{"hub":"\#(long(65))"}"#, .tooLong, "$.hub"),
            Refusal(#"{"content":{"title":"t"}}"#, .missingMember, "$.to"),
            Refusal(#"{"to":{"broadcast":true}}"#, .missingMember, "$"),
            Refusal(#"{"to":{"broadcast":true},"content":{"title":"t"},"template":{}}"#, .conflictingMembers, "$"),
            Refusal(
                #"{"id":"0193f2c4-7d1e-7abc-8def-0123456789ac","to":{"broadcast":true},"template":{}}"#,
                .idMismatch,
                "$.id"
            ),
        ]
    )
    func envelope(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "the audience",
        arguments: [
            Refusal.to("[]", .wrongType, "$.to"),
            .to("{}", .missingMember, "$.to"),
            .to(#"{"platforms":["apns"]}"#, .missingMember, "$.to"),
            .to(#"{"tags":"a","users":["b"]}"#, .conflictingMembers, "$.to"),
            .to(#"{"everyone":true}"#, .unknownMember, "$.to.everyone"),
            .to(#"{"tags":["a"]}"#, .wrongType, "$.to.tags"),
            .to(#"{"tags":""}"#, .outOfRange, "$.to.tags"),
            .to(#"{"tags":"a &&"}"#, .badExpression, "$.to.tags"),
            .to(#"{"tags":"\#(String(repeating: "(", count: 10_000))"}"#, .badExpression, "$.to.tags"),
            .to(#"{"tags":"\#(long(20_000))"}"#, .tooLong, "$.to.tags"),
            .to(#"{"users":"bob"}"#, .wrongType, "$.to.users"),
            .to(#"{"users":[]}"#, .emptyAudience, "$.to.users"),
            .to(#"{"users":["a",null]}"#, .wrongType, "$.to.users[1]"),
            .to(#"{"users":["a",""]}"#, .outOfRange, "$.to.users[1]"),
            .to(#"{"users":["a\u0007"]}"#, .invalidFormat, "$.to.users[0]"),
            .to(#"{"users":["\#(long(257))"]}"#, .tooLong, "$.to.users[0]"),
            .to(#"{"users":[\#((0...1_000).map { "\"\($0)\"" }.joined(separator: ","))]}"#, .tooMany, "$.to.users"),
            .to(#"{"installations":["a b"]}"#, .invalidFormat, "$.to.installations[0]"),
            .to(#"{"installations":[]}"#, .emptyAudience, "$.to.installations"),
            .to(#"{"channels":[]}"#, .emptyAudience, "$.to.channels"),
            .to(#"{"channels":["x"]}"#, .wrongType, "$.to.channels[0]"),
            .to(#"{"channels":[{"token":"x"}]}"#, .missingMember, "$.to.channels[0].platform"),
            .to(#"{"channels":[{"platform":"apns"}]}"#, .missingMember, "$.to.channels[0].token"),
            .to(#"{"channels":[{"platform":"gcm","token":"x"}]}"#, .outOfRange, "$.to.channels[0].platform"),
            .to(#"{"channels":[{"platform":"apns","token":"a b"}]}"#, .invalidFormat, "$.to.channels[0].token"),
            .to(#"{"channels":[{"platform":"apns","token":"x","x":1}]}"#, .unknownMember, "$.to.channels[0].x"),
            .to(
                #"{"channels":[{"platform":"hms","token":"x","environment":"sandbox"}]}"#,
                .conflictingMembers,
                "$.to.channels[0].environment"
            ),
            .to(
                #"{"channels":[{"platform":"browser","token":{"endpoint":"e","auth":"a"}}]}"#,
                .missingMember,
                "$.to.channels[0].token.p256dh"
            ),
            .to(#"{"broadcast":false}"#, .outOfRange, "$.to.broadcast"),
            .to(#"{"broadcast":1}"#, .wrongType, "$.to.broadcast"),
            .to(#"{"broadcast":true,"platforms":[]}"#, .emptyAudience, "$.to.platforms"),
            .to(#"{"broadcast":true,"platforms":["ios"]}"#, .outOfRange, "$.to.platforms[0]"),
        ]
    )
    func audience(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "the content",
        arguments: [
            Refusal.content("[]", .wrongType, "$.content"),
            .content("{}", .missingMember, "$.content"),
            .content(#"{"category":"c","thread":"t"}"#, .missingMember, "$.content"),
            .content(#"{"title":null}"#, .wrongType, "$.content.title"),
            .content(#"{"title":""}"#, .outOfRange, "$.content.title"),
            .content(#"{"body":"\#(long(4_097))"}"#, .tooLong, "$.content.body"),
            .content(#"{"subtitle":5}"#, .wrongType, "$.content.subtitle"),
            .content(#"{"attachment":{},"title":"t"}"#, .missingMember, "$.content.attachment.url"),
            .content(#"{"picture":"x","title":"t"}"#, .unknownMember, "$.content.picture"),
            .content(#"{"badge":-1}"#, .outOfRange, "$.content.badge"),
            .content(#"{"badge":1e-2}"#, .wrongType, "$.content.badge"),
            .content(#"{"badge":1.5}"#, .wrongType, "$.content.badge"),
            .content(#"{"badge":1e300}"#, .outOfRange, "$.content.badge"),
            .content(#"{"badge":99999999999999999999}"#, .outOfRange, "$.content.badge"),
            .content(#"{"badge":"read"}"#, .outOfRange, "$.content.badge"),
            .content(#"{"badge":true}"#, .wrongType, "$.content.badge"),
            .content(#"{"sound":{}}"#, .outOfRange, "$.content.sound"),
            .content(#"{"category":"\#(long(257))","title":"t"}"#, .tooLong, "$.content.category"),
            .content(#"{"data":[]}"#, .wrongType, "$.content.data"),
            .content(#"{"data":{}}"#, .outOfRange, "$.content.data"),
            .content(#"{"data":{"a":1,"aps":{}}}"#, .reservedMember, "$.content.data.aps"),
            .instead(#""native":{}"#, .missingMember, "$.native"),
            .instead(#""native":{"ios":{}}"#, .unknownMember, "$.native.ios"),
            .instead(#""native":{"apns":"x"}"#, .wrongType, "$.native.apns"),
            .instead(#""native":{"wns":""}"#, .outOfRange, "$.native.wns"),
            .instead(#""template":[]"#, .wrongType, "$.template"),
            .instead(#""template":{"a":null,"b":1}"#, .wrongType, "$.template.a"),
            .instead(#""template":{"a":null}"#, .wrongType, "$.template.a"),
        ]
    )
    func content(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "the options",
        arguments: [
            Refusal.options("[]", .wrongType, "$.options"),
            .options(#"{"urgency":1}"#, .unknownMember, "$.options.urgency"),
            .options(#"{"priority":"urgent"}"#, .outOfRange, "$.options.priority"),
            .options(#"{"priority":1}"#, .wrongType, "$.options.priority"),
            .options(#"{"ttlSeconds":-1}"#, .outOfRange, "$.options.ttlSeconds"),
            .options(#"{"ttlSeconds":2419201}"#, .outOfRange, "$.options.ttlSeconds"),
            .options(#"{"ttlSeconds":"60"}"#, .wrongType, "$.options.ttlSeconds"),
            .options(#"{"expiresAt":1764590400}"#, .wrongType, "$.options.expiresAt"),
            .options(#"{"expiresAt":"tomorrow"}"#, .invalidFormat, "$.options.expiresAt"),
            .options(#"{"ttlSeconds":1,"expiresAt":"2026-12-01T12:00:00Z"}"#, .conflictingMembers, "$.options"),
            .options(
                #"{"sendAt":"2026-12-01T12:00:00Z","expiresAt":"2026-12-01T12:00:00Z"}"#,
                .conflictingMembers,
                "$.options"
            ),
            .options(#"{"collapseKey":"\#(long(256))"}"#, .tooLong, "$.options.collapseKey"),
            .options(#"{"guarantee":"exactly-once"}"#, .outOfRange, "$.options.guarantee"),
            .options(#"{"timeZone":"device"}"#, .missingMember, "$.options.sendAt"),
            .options(#"{"timeZone":"device","sendAt":"2026-12-24T18:00:00Z"}"#, .invalidFormat, "$.options.sendAt"),
            .options(#"{"timeZone":"device","sendAt":"2026-12-24T23:59:60"}"#, .invalidFormat, "$.options.sendAt"),
            .options(#"{"timeZone":"device","sendAt":"2026-02-29T18:00:00"}"#, .invalidFormat, "$.options.sendAt"),
            .options(#"{"sendAt":"2026-12-24T18:00:00"}"#, .invalidFormat, "$.options.sendAt"),
            .options(#"{"timeZone":"Europe/","sendAt":"2026-12-24T18:00:00"}"#, .invalidFormat, "$.options.timeZone"),
        ]
    )
    func options(refusal: Refusal) { Self.refuse(refusal) }

    @Test("a job without any id is refused, and one whose message_id is no UUID")
    func ids() {
        let body = Array(#"{"to":{"broadcast":true},"template":{}}"#.utf8)
        let missing = #expect(throws: JobError.self) { try SendJob(decoding: body, messageID: nil) }
        #expect(missing?.code == .missingMember)
        #expect(missing?.path == "$.id")
        let malformed = #expect(throws: JobError.self) { try SendJob(decoding: body, messageID: "7") }
        #expect(malformed?.code == .invalidFormat)
        #expect(malformed?.path == "message_id")
    }

    @Test("errors of the parser and of the expression carry their offsets")
    func offsets() {
        let json = #expect(throws: JobError.self) {
            try SendJob(decoding: Array("{\n \"a\" 1}".utf8), messageID: nil)
        }
        #expect(json?.offset == 7)
        #expect(json?.reason.contains("line 2, column 6") == true)
        let expression = #expect(throws: JobError.self) {
            try SendJob(decoding: Array(#"{"to":{"tags":"a && "}}"#.utf8), messageID: nil)
        }
        #expect(expression?.offset == 5)
    }

    @Test("at most forty characters of a name are repeated")
    func excerpt() {
        let error = #expect(throws: JobError.self) {
            try SendJob(decoding: Array(#"{"\#(Self.long(5_000))":1}"#.utf8), messageID: nil)
        }
        #expect(error?.path == "$['\(Self.long(40))…']")
    }
}
