import DispatchCore
import Testing

@Suite struct FollowUpTests {
    private static let notification = UUIDValue(high: 0x0193_F2C4_7D1E_7ABC, low: 0x8DEF_0123_4567_89AB)
    private static let id = UUIDValue(high: 1, low: 2)

    /// The text of the job that an update makes of another.
    private static func text(_ job: String, _ update: String, devices: [String] = ["phone"]) throws -> String? {
        let document = try JSONParser.parse(Array(update.utf8))
        let followUp = FollowUp(
            of: CategoryRule(action: "a", update: document.members ?? []),
            id: id,
            original: try JSONParser.parse(Array(job.utf8)),
            notification: notification,
            number: NotificationID(rawValue: 77),
            devices: devices,
            expiresAt: Timestamp(seconds: 1_796_000_000)
        )
        guard let followUp else { return nil }
        let text = JSONWriter.encode(followUp.document)
        _ = try SendJob(decoding: text, messageID: followUp.id.description)
        return String(decoding: text, as: UTF8.self)
    }

    /// The content that an update makes of another.
    private static func content(_ content: String, _ update: String) throws -> String {
        let text = try #require(try text(#"{"content":\#(content)}"#, update))
        return String(
            decoding: JSONWriter.encode(try #require(try JSONParser.parse(Array(text.utf8))["content"])),
            as: UTF8.self
        )
    }

    @Test(
        "the job is for the device alone, replaces the notification and keeps what is not about the first one's moment"
    )
    func job() throws {
        let original = #"""
            {"to":{"users":["alice"],"platforms":["apns"]},"hub":"shop","content":{"title":"Invite","category":"c"},\#
            "options":{"inbox":true,"sendAt":"2026-01-01T00:00:00Z","ttlSeconds":60,"collapseKey":"k","priority":"high"}}
            """#
        #expect(
            try Self.text(original, #"{"body":"Going!"}"#, devices: ["phone", "tablet"]) == #"""
                {"id":"00000000-0000-0001-0000-000000000002","hub":"shop",\#
                "to":{"installations":["phone","tablet"],"platforms":["apns"]},\#
                "content":{"title":"Invite","category":"c","body":"Going!","sound":"none"},\#
                "options":{"collapseKey":"k","priority":"high",\#
                "replaces":"0193f2c4-7d1e-7abc-8def-0123456789ab","expiresAt":"2026-11-30T00:53:20Z","inbox":false}}
                """#
        )
    }

    @Test("what is not neutral content has no follow-up")
    func native() throws {
        #expect(try Self.text(#"{"native":{"apns":{"aps":{}}}}"#, "{}") == nil)
        #expect(try Self.text("null", "{}") == nil)
    }

    @Test(
        "members take the place of the notification's own, null takes one away, and the rest stays",
        arguments: [
            (#"{"title":"T","body":"B"}"#, "{}", #"{"title":"T","body":"B","sound":"none"}"#),
            (
                #"{"title":"T","actions":[{"id":"a","title":"A"}]}"#, #"{"actions":null}"#,
                #"{"title":"T","sound":"none"}"#
            ),
            (#"{"title":"T","category":"c"}"#, #"{"category":"d"}"#, #"{"title":"T","category":"d","sound":"none"}"#),
            (
                #"{"title":"T","data":{"a":1,"b":2}}"#, #"{"data":{"a":3}}"#,
                #"{"title":"T","data":{"a":3},"sound":"none"}"#
            ),
        ]
    )
    func merge(content: String, update: String, result: String) throws {
        #expect(try Self.content(content, update) == result)
    }

    @Test(
        "a text that is changed is changed in every language",
        arguments: [
            (
                #"{"title":"T","body":"B","localizations":{"fr":{"title":"T'","body":"B'"},"de":{"body":"B''"}}}"#,
                #"{"body":"Going!"}"#,
                #"{"title":"T","localizations":{"fr":{"title":"T'"}},"body":"Going!","sound":"none"}"#
            ),
            (
                #"{"body":"B","localizations":{"fr":{"body":"B'"}}}"#, #"{"body":"Going!"}"#,
                #"{"body":"Going!","sound":"none"}"#
            ),
            (
                #"{"body":"B","localizations":{"fr":{"body":"B'"}}}"#,
                #"{"body":"Going!","localizations":{"fr":{"body":"Je viens !"}}}"#,
                #"{"body":"Going!","localizations":{"fr":{"body":"Je viens !"}},"sound":"none"}"#
            ),
        ]
    )
    func languages(content: String, update: String, result: String) throws {
        #expect(try Self.content(content, update) == result)
    }

    @Test(
        "an update makes no sound and does not shake the device, unless it says so",
        arguments: [
            (#"{"title":"T","sound":"ping"}"#, "{}", #"{"title":"T","sound":"none"}"#),
            (#"{"title":"T","sound":"ping"}"#, #"{"sound":"pong"}"#, #"{"title":"T","sound":"pong"}"#),
            (
                #"{"title":"T","browser":{"vibrate":[1],"silent":false,"tag":"t"},"wns":{"audio":{"loop":true}}}"#,
                "{}",
                #"{"title":"T","browser":{"tag":"t"},"sound":"none"}"#
            ),
            (
                #"{"title":"T","wns":{"audio":{"loop":true}}}"#, #"{"sound":"ping"}"#,
                #"{"title":"T","wns":{"audio":{"loop":true}},"sound":"ping"}"#
            ),
        ]
    )
    func quiet(content: String, update: String, result: String) throws {
        #expect(try Self.content(content, update) == result)
    }

    @Test(
        "rich content stays where it is, under the id that the app knows",
        arguments: [
            (
                #"{"rich":{"id":"r","message":"m","type":"img"}}"#, "{}",
                #"{"rich":{"message":"m","type":"img"},"data":{"richId":"r"},"sound":"none"}"#
            ),
            (
                #"{"title":"T","attachment":{},"rich":{"content":{"type":"image/png","data":"iVBORw0KGgo="}},"data":{"a":1}}"#,
                #"{"title":"U"}"#,
                #"{"attachment":{},"rich":{},"title":"U","data":{"a":1,"richId":77},"sound":"none"}"#
            ),
            (
                #"{"rich":{"url":"https://example.com/a"}}"#, #"{"data":{"richId":5}}"#,
                #"{"rich":{"url":"https://example.com/a"},"data":{"richId":5},"sound":"none"}"#
            ),
            (#"{"rich":{"message":"m"}}"#, #"{"rich":{"id":3}}"#, #"{"rich":{"id":3},"sound":"none"}"#),
            (#"{"title":"T","rich":{"message":"m"}}"#, #"{"rich":null}"#, #"{"title":"T","sound":"none"}"#),
        ]
    )
    func rich(content: String, update: String, result: String) throws {
        #expect(try Self.content(content, update) == result)
    }

    @Test("an id of a name is the same for the same name, and of the version for such ids")
    func names() {
        let id = UUIDValue(named: "1 2 0 receipt")
        #expect(id == UUIDValue(named: "1 2 0 receipt") && id != UUIDValue(named: "1 2 1 receipt"))
        #expect(id.high >> 12 & 0xF == 8 && id.low >> 62 == 2)
    }

    @Test(
        "a job that replaces another has its collapse id, its tag and its id in the payload, on every platform",
        arguments: Platform.allCases,
        [nil, "invite-7"]
    )
    func place(platform: Platform, key: String?) throws {
        let options = key.map { #""collapseKey":"\#($0)""# } ?? ""
        func push(_ id: String, _ options: String) throws -> PreparedPush {
            let body =
                #"{"to":{"broadcast":true},"content":{"title":"T","actions":[{"id":"a","title":"A"}]},"options":{\#(options)}}"#
            let job = try SendJob(decoding: Array(body.utf8), messageID: id)
            let context = RenderContext(
                options: PushOptions(notification: job.id, options: job.options, expiresAt: nil),
                now: Timestamp(seconds: 1_700_000_000)
            )
            return try PushRenderer.prepare(job.content, for: platform, in: context)
        }
        let separator = options.isEmpty ? "" : ","
        let first = try push(Self.notification.description, options)
        let second = try push(
            "0193f2c4-7d1e-7abc-8def-00000000ffff",
            options + separator + #""replaces":"\#(Self.notification)""#
        )
        #expect(second.body(channel: "c") == first.body(channel: "c") && second.headers == first.headers)
    }
}
