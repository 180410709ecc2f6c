import Testing

@testable import DispatchCore

@Suite("Web Push messages")
struct WebPushRendererTests {
    private let example = RenderedExample(platform: .browser)

    @Test("the first text is the title and the others are the lines of the body")
    func texts() throws {
        #expect(try notification(#"{"subtitle": "b", "body": "c"}"#)["title"] == .string("b"))
        #expect(try notification(#"{"subtitle": "b", "body": "c"}"#)["body"] == .string("c"))
        #expect(try notification(#"{"title": "a", "subtitle": "b", "body": "c"}"#)["body"] == .string("b\nc"))
        #expect(try notification(#"{"body": "c"}"#)["body"] == nil)
        #expect(try notification(#"{"title": {"key": "T"}, "body": "c"}"#)["title"] == .string("c"))
    }

    @Test(
        "what shows nothing is refused, since browsers demand that every push is shown",
        arguments: [
            #"{"data": {"a": 1}}"#, #"{"badge": 0}"#, #"{"sound": "default"}"#, #"{"rich": {"id": 1}}"#,
            #"{"title": {"key": "T"}}"#,
        ]
    )
    func shown(content: String) throws {
        try expectRefusal(content, .vendorRule, "content")
    }

    @Test(
        "each rule of the vendors has its refusal",
        arguments: [
            (#"{"title": "x", "liveActivity": {"event": "update", "contentState": {}}}"#, "content.liveActivity"),
            (#"{"title": "x", "browser": {"renotify": true}}"#, "content.browser.renotify"),
            (#"{"title": "x", "sound": "none", "browser": {"vibrate": [1]}}"#, "content.browser.vibrate"),
            (
                #"{"title": "x", "interruptionLevel": "passive", "browser": {"vibrate": [1]}}"#,
                "content.browser.vibrate"
            ),
        ]
    )
    func refusals(content: String, member: String) throws {
        let code: RenderError.Code = member == "content.liveActivity" ? .notExpressible : .vendorRule
        try expectRefusal(content, code, member)
    }

    @Test("renotify goes with a tag of its own or a collapse key")
    func renotify() throws {
        #expect(try notification(#"{"title": "x", "browser": {"renotify": true, "tag": "t"}}"#)["tag"] == .string("t"))
        let keyed = try notification(#"{"title": "x", "browser": {"renotify": true}}"#, #"{"collapseKey": "k"}"#)
        #expect(keyed["tag"] == .string("k"))
        #expect(keyed["renotify"] == .bool(true))
        let replacing = #"{"replaces": "0193f2c4-7d1e-7abc-8def-0123456789ab"}"#
        let change = try notification(#"{"title": "x", "browser": {"renotify": true}}"#, replacing)
        #expect(change["renotify"] == .bool(true) && change["tag"] == .string("0193f2c4-7d1e-7abc-8def-0123456789ab"))
        #expect(try notification(#"{"title": "x", "browser": {"renotify": false}}"#)["renotify"] == .bool(false))
    }

    @Test(
        "silence and staying follow from sound and level; what the browser's part says wins",
        arguments: [
            (#""sound": "none""#, JSONValue.bool(true), nil as JSONValue?),
            (#""sound": "default""#, nil, nil),
            (#""interruptionLevel": "passive""#, .bool(true), nil),
            (#""interruptionLevel": "passive", "sound": "bell.caf""#, nil, nil),
            (#""interruptionLevel": "active""#, nil, nil),
            (#""interruptionLevel": "time-sensitive""#, nil, .bool(true)),
            (#""interruptionLevel": "critical", "browser": {"requireInteraction": false}"#, nil, .bool(false)),
            (#""sound": "none", "browser": {"silent": false}"#, .bool(false), nil),
        ]
    )
    func manner(members: String, silent: JSONValue?, stays: JSONValue?) throws {
        let shown = try notification(#"{"title": "x", \#(members)}"#)
        #expect(shown["silent"] == silent)
        #expect(shown["requireInteraction"] == stays)
    }

    @Test("an absent badge, 0 and a number are told apart")
    func badge() throws {
        #expect(try notification(#"{"title": "x"}"#)["app_badge"] == nil)
        #expect(try notification(#"{"title": "x", "badge": 0}"#)["app_badge"] == .number(JSONNumber(0)))
        #expect(
            try notification(#"{"title": "x", "badge": 2147483647}"#)["app_badge"] == .number(JSONNumber(2_147_483_647))
        )
    }

    @Test("data wins over what the hub carries, the attachment's key comes next, and no name stands twice")
    func dataWins() throws {
        let data = try notification(
            """
            {"title": "x", "category": "c", "thread": "t", "link": "app:x", "targetContentId": "w", "rich": {"id": 1},
             "attachment": {"url": "https://e.example/a", "key": "thread"},
             "data": {"richId": null, "category": "", "notificationId": 0}}
            """
        )["data"]
        let names = data?.members?.map(\.name)
        #expect(names == ["richId", "category", "notificationId", "thread", "link", "targetContentId"])
        #expect(data?["richId"] == .null)
        #expect(data?["category"] == .string(""))
        #expect(data?["notificationId"] == .number(JSONNumber(0)))
        #expect(data?["thread"] == .string("https://e.example/a"))
    }

    @Test("only a link of https makes the message declarative", arguments: ["app:x", "http://e.example/"])
    func link(address: String) throws {
        let plain = try message(#"{"title": "x", "link": "\#(address)"}"#)
        #expect(plain["web_push"] == nil)
        #expect(plain["mutable"] == nil)
        #expect(plain["notification"]?["navigate"] == nil)
        #expect(plain["notification"]?["data"]?["link"] == .string(address))
    }

    @Test("a declarative message has every member that WebKit's parser demands")
    func declarative() throws {
        let message = try message(#"{"body": "x", "link": "https://e.example/", "badge": 1}"#)
        #expect(message["web_push"] == .number(JSONNumber(8030)))
        #expect(message["mutable"] == .bool(true))
        let shown = message["notification"]
        #expect(shown?["title"] == .string("x"))
        #expect(shown?["navigate"] == .string("https://e.example/"))
        #expect(shown?["app_badge"] == .number(JSONNumber(1)))
        #expect(shown?["mutable"] == .bool(true))
    }

    @Test("all actions are written, icons only when a browser can fetch them")
    func actions() throws {
        let actions = (0..<10).map { number in
            let icon = ["checkmark", "ms-appx:///a.png", "https://e.example/"][min(number, 2)]
            return #"{"id": "\#(number)", "title": "T", "icon": "\#(icon)"}"#
        }
        let list = try notification(#"{"title": "x", "actions": [\#(actions.joined(separator: ","))]}"#)["actions"]
        #expect(list?.elements?.count == 10)
        #expect(list?.elements?.prefix(2).contains { $0["icon"] != nil } == false)
        #expect(list?.elements?.last?["icon"] == .string("https://e.example/"))
        #expect(list?.elements?.last?["action"] == .string("9"))
    }

    @Test("a picture of the browser's part stands in place of the attachment's; a film is none")
    func image() throws {
        let attachment = #""attachment": {"url": "https://e.example/a.png"}"#
        #expect(try notification(#"{"title": "x", \#(attachment)}"#)["image"] == .string("https://e.example/a.png"))
        let own = #""browser": {"image": "https://e.example/b.png"}"#
        let both = try notification(#"{"title": "x", \#(attachment), \#(own)}"#)
        #expect(both["image"] == .string("https://e.example/b.png"))
        let film = #""attachment": {"url": "https://e.example/a.mp4", "type": "video/mp4"}"#
        #expect(try notification(#"{"title": "x", \#(film)}"#)["image"] == nil)
    }

    @Test("instants before 1970 are not written as instants in the far future")
    func timestamp() throws {
        let shown = try notification(#"{"title": "x", "browser": {"timestamp": "1969-12-31T00:00:00Z"}}"#)
        #expect(shown["timestamp"] == .number(JSONNumber(0)))
    }

    @Test("a message is encrypted to exactly 4096 bytes at the limit and refused one byte above")
    func limit() throws {
        let empty = try example.push(#"{"title": "x", "body": "y"}"#).size
        let longest = 3993 - empty + 1
        let push = try example.push(#"{"title": "x", "body": "\#(String(repeating: "y", count: longest))"}"#)
        // One record: salt, record size, length of the key and the key; text and delimiter; authentication tag.
        #expect(16 + 4 + 1 + 65 + (push.size + 1) + 16 == 4096)
        #expect(throws: RenderError.tooLarge(3994, limit: 3993, platform: .browser)) {
            try example.push(#"{"title": "x", "body": "\#(String(repeating: "y", count: longest + 1))"}"#)
        }
        let native = try example.native(.string(String(repeating: "y", count: 3993)))
        #expect(native.size == 3993)
        #expect(throws: RenderError.tooLarge(3994, limit: 3993, platform: .browser)) {
            try example.native(.string(String(repeating: "y", count: 3994)))
        }
    }

    @Test("three contents in a row share nothing")
    func independence() throws {
        let rich = #"{"title": "x", "badge": 1, "link": "https://e.example/", "data": {"a": 1}}"#
        let first = try example.push(rich)
        let second = try example.push(#"{"body": "y"}"#)
        #expect(try example.push(rich).bodyHead == first.bodyHead)
        let data = #"{"notificationId":"\#(PushExample.job)"}"#
        let plain = #"{"notification":{"title":"y","tag":"\#(PushExample.job)","data":\#(data)}}"#
        #expect(second.bodyHead == Array(plain.utf8))
    }

    private func message(_ content: String, _ options: String = "{}") throws -> JSONValue {
        try JSONParser.parse(example.push(content, options).bodyHead)
    }

    private func notification(_ content: String, _ options: String = "{}") throws -> JSONValue {
        try #require(message(content, options)["notification"])
    }

    private func expectRefusal(_ content: String, _ code: RenderError.Code, _ member: String) throws {
        let error = #expect(throws: RenderError.self) { try example.push(content) }
        #expect(error?.code == code)
        #expect(error?.member == member)
        #expect(error?.platform == .browser)
    }
}
