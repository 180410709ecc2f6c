import Testing

@testable import DispatchCore

/// What FCM, HMS and ADM have in common.
@Suite("Android's platforms")
struct AndroidRendererTests {
    /// Everything that leaves a member in `data`.
    private static let everything = #"""
        {"title": "t", "body": "b", "category": "c", "thread": "r", "link": "https://example.com/", "targetContentId": "w",
        "summary": {"count": 2}, "interruptionLevel": "active", "rich": {"id": 7, "message": "m", "type": "img"},
        "attachment": {"url": "https://example.com/a.png"}, "actions": [{"id": "a", "title": "A"}], "data": DATA}
        """#

    private static let names = [
        "notificationId", "category", "thread", "link", "targetContentId", "actions", "richId", "richMessage",
        "richType",
        "summary", "interruptionLevel", "my-attachment",
    ]

    @Test("a Live Activity is refused", arguments: RenderedPush.platforms)
    func liveActivity(platform: Platform) {
        let error = #expect(throws: RenderError.self) {
            try RenderedPush(#"{"liveActivity": {"event": "update", "contentState": {}}}"#, on: platform)
        }
        #expect(error?.code == .notExpressible)
        #expect(error?.member == "content.liveActivity")
        #expect(error?.platform == platform)
    }

    @Test("a content of which nothing is left is refused", arguments: RenderedPush.platforms)
    func empty(platform: Platform) {
        let error = #expect(throws: RenderError.self) {
            try RenderedPush(#"{"badge": "unread", "category": "c"}"#, on: platform)
        }
        #expect(error?.code == .emptyContent)
    }

    @Test("the app finds every member that its platform has no other place for", arguments: RenderedPush.platforms)
    func members(platform: Platform) throws {
        let content = Self.everything.replacing("DATA", with: #"{"own": 1}"#)
        let data = try RenderedPush(content, on: platform).data
        #expect(Set(data.map(\.name)) == Set(Self.names + ["own"]))
        #expect(data.count == Self.names.count + 1)
    }

    @Test("a data member of the job wins over the hub's", arguments: RenderedPush.platforms, names)
    func dataWins(platform: Platform, name: String) throws {
        let content = Self.everything.replacing("DATA", with: #"{"\#(name)": "own"}"#)
        let data = try RenderedPush(content, on: platform).data
        #expect(data.filter { $0.name == name }.map(\.value) == [.string("own")])
        #expect(data.count == Self.names.count)
    }

    @Test("a data member of the job wins where the app draws, too", arguments: RenderedPush.platforms)
    func dataWinsOverBadge(platform: Platform) throws {
        let data = try RenderedPush(
            #"{"badge": 3, "sound": "x", "data": {"badge": "own", "sound": "own"}}"#,
            on: platform
        )
        .data
        #expect(data.map(\.name) == ["badge", "sound", "notificationId"])
        #expect(data.prefix(2).allSatisfy { $0.value == .string("own") })
    }

    @Test("the attachment's key wins over the hub's members", arguments: RenderedPush.platforms)
    func attachmentKey(platform: Platform) throws {
        let content = #"{"title": "t", "link": "a:b", "attachment": {"url": "https://x/", "key": "link"}}"#
        let data = try RenderedPush(content, on: platform).data
        #expect(data.filter { $0.name == "link" }.map(\.value) == [.string("https://x/")])
    }

    @Test("only Huawei's data keeps numbers, booleans and null", arguments: RenderedPush.platforms)
    func values(platform: Platform) throws {
        let content = #"{"title": "t", "data": {"a": 1.10, "b": true, "c": null, "d": [1, "é"], "e": ""}}"#
        let values = try RenderedPush(content, on: platform).data.prefix(5).map(\.value)
        let number = try #require(JSONNumber(text: "1.10"))
        let kept: [JSONValue] = [
            .number(number), .bool(true), .null, .array([.number(JSONNumber(1)), .string("é")]), .string(""),
        ]
        let texts = ["1.10", "true", "null", #"[1,"é"]"#, ""].map { JSONValue.string($0) }
        #expect(values == (platform == .hms ? kept : texts))
    }

    @Test("without title and body the app draws, and is told everything", arguments: RenderedPush.platforms)
    func appDraws(platform: Platform) throws {
        let content = #"{"subtitle": {"key": "S", "args": ["1"], "fallback": "s"}, "badge": 0, "sound": "none"}"#
        let push = try RenderedPush(content, on: platform)
        #expect(push.drawn == nil)
        #expect(
            try push.data.map(\.name) == [
                "notificationId", "subtitle", "subtitleLocKey", "subtitleLocArgs", "sound", "badge",
            ]
        )
    }

    @Test("contents rendered one after the other share nothing", arguments: RenderedPush.platforms)
    func independence(platform: Platform) throws {
        let full = Self.everything.replacing("DATA", with: #"{"own": 1}"#)
        let first = try RenderedPush(full, on: platform, priority: .high, expiresIn: 1 << 40, collapseKey: "k")
        let plain = try RenderedPush(#"{"title": "plain"}"#, on: platform)
        let again = try RenderedPush(full, on: platform, priority: .high, expiresIn: 1 << 40, collapseKey: "k")
        #expect(first.text == again.text)
        #expect(try plain.data.map(\.name) == ["notificationId"])
        #expect(plain.text == (try RenderedPush(#"{"title": "plain"}"#, on: platform).text))
    }

    @Test(
        "a payload at the limit passes, one byte more does not",
        arguments: [(Platform.fcmV1, 4096), (.hms, 4096), (.adm, 6144)]
    )
    func limit(platform: Platform, limit: Int) throws {
        func size(_ filling: Int) throws -> Int {
            let text = String(repeating: "x", count: filling)
            return try RenderedPush(#"{"title": "t", "data": {"x": "\#(text)"}}"#, on: platform).push.size
        }
        let overhead = try size(0)
        #expect(try size(limit - overhead) == limit)
        #expect(throws: RenderError.tooLarge(limit + 1, limit: limit, platform: platform)) {
            try size(limit + 1 - overhead)
        }
    }

    @Test("a silent content never asks for urgency", arguments: RenderedPush.platforms)
    func silent(platform: Platform) throws {
        let loud = try RenderedPush(#"{"badge": 1}"#, on: platform, priority: .high).text
        let silent = try RenderedPush(#"{"data": {"a": "b"}}"#, on: platform, priority: .high).text
        #expect(loud.contains(#""HIGH""#) || loud.contains(#""high""#))
        #expect(!silent.contains(#""HIGH""#) && !silent.contains(#""high""#))
    }

    @Test(
        "a sound is a resource without its extension",
        arguments: [
            ("bell.caf", "bell"), ("bell", "bell"), ("a.b.mp3", "a.b"), (".x", ".x"), ("default", "default"),
        ]
    )
    func resource(name: String, resource: String) {
        #expect(Sound(name: name).resourceName == resource)
        #expect(Sound(name: "none").resourceName == nil)
    }

    @Test("the buttons are the notification's own, else the category's", arguments: RenderedPush.platforms)
    func buttons(platform: Platform) throws {
        let category = ActionCategory(id: "c", actions: [CategoryAction(id: "theirs", title: "T")])
        func ids(_ content: String) throws -> Bool {
            let data = try RenderedPush(content, on: platform, category: category).data
            let actions = try #require(data.first { $0.name == "actions" })
            let text = actions.value.string ?? String(decoding: JSONWriter.encode(actions.value), as: UTF8.self)
            return text.contains("theirs")
        }
        #expect(try ids(#"{"body": "b", "category": "c"}"#))
        #expect(try !ids(#"{"body": "b", "category": "c", "actions": [{"id": "own", "title": "O"}]}"#))
    }
}
